import type { Duplex } from 'node:stream';
import { connect, type SecureContext, TLSSocket } from 'node:tls';
import type { TlsVersion } from '../../../shared/base/cipher-suites.ts';
import type { BothWays } from '../../../shared/base/units.ts';
import type { Agreed, HandshakeCell, Turn, Wire } from '../../../shared/kinds/handshakes/handshakes.ts';
import { isHelloRetry } from '../../base/wire/negotiated-tls.ts';
import { readAgreed } from './handshake-lab.ts';
import { closePair, count, echo, MemoryEnd, pour } from './plain-pair.ts';

export type Observed = { wire: Wire; agreed: Agreed; turns: Turn[] };

/**
 * Odd, so that the middle one is a count that was seen. A random number in a ticket makes it 16 bytes shorter once in a
 * hundred times, and an ECDSA signature has one byte more or less; the middle of nine has neither.
 */
const connections = 9;

/** Observes the bytes on the wire, on a few connections in addition to those that are timed. */
export async function observe(
  contexts: Contexts,
  cell: HandshakeCell,
  openSession: () => Promise<Buffer | null>,
): Promise<Observed> {
  const seen: Observed[] = [];
  for (let i = 0; i < connections; i++) seen.push(await observeOnce(contexts, cell, await openSession()));
  const [first] = seen as [Observed];
  const middle = (bytes: (wire: Wire) => BothWays): BothWays => ({
    clientToServer: middleOf(seen.map(({ wire }) => bytes(wire).clientToServer)),
    serverToClient: middleOf(seen.map(({ wire }) => bytes(wire).serverToClient)),
  });
  return {
    ...first,
    wire: {
      ...first.wire,
      handshakeBytes: middle((wire) => wire.handshakeBytes),
      withTicketsBytes: middle((wire) => wire.withTicketsBytes),
    },
  };
}

async function observeOnce(
  contexts: Contexts,
  cell: HandshakeCell,
  session: Buffer | null,
): Promise<Observed> {
  const reader = new RecordReader();
  const [near, far] = MemoryEnd.pair();
  near.tap = (piece) => reader.read('client', piece);
  far.tap = (piece) => reader.read('server', piece);
  const agreed = await connectOnce(contexts, { cell: { ...cell, bytes: 1 }, session }, [near, far]);
  return { agreed, ...readWire(cell.version, reader.records) };
}

function middleOf(counts: number[]): number {
  return counts.sort((a, b) => a - b)[counts.length >> 1] ?? 0;
}

/**
 * Reads the handshake from the records of a connection that carried one byte each way. In TLS 1.3 nearly every record looks like
 * application data, so the byte is known by its place: the last record of each side. The records that the server sends after the client's
 * Finished and before the byte are its tickets.
 */
export function readWire(version: TlsVersion, records: readonly TlsRecord[]): { wire: Wire; turns: Turn[] } {
  const own =
    version === 'TLSv1.3' ? withoutLast(records) : records.filter(({ type }) => type !== applicationData);
  const finished = own.findLastIndex(({ from }) => from === 'client');
  const isTicket = (record: TlsRecord, index: number) =>
    version === 'TLSv1.3' && record.from === 'server' && index > finished;
  const handshake = own.filter((record, index) => !isTicket(record, index));
  return {
    wire: {
      handshakeBytes: bytesOf(handshake),
      withTicketsBytes: bytesOf(own),
      flights: turnsOf(handshake).length,
      helloRetry: own.some(({ helloRetry }) => helloRetry),
    },
    turns: turnsOf(own),
  };
}

/** Without the last record of each side. */
function withoutLast(records: readonly TlsRecord[]): TlsRecord[] {
  const last = (['client', 'server'] as const).map((side) =>
    records.findLastIndex(({ from }) => from === side),
  );
  return records.filter((_, index) => !last.includes(index));
}

function bytesOf(records: readonly TlsRecord[]): BothWays {
  const sum = (side: TlsRecord['from']) =>
    records.reduce((total, { from, bytes }) => (from === side ? total + bytes : total), 0);
  return { clientToServer: sum('client'), serverToClient: sum('server') };
}

function turnsOf(records: readonly TlsRecord[]): Turn[] {
  const turns: Turn[] = [];
  for (const { from, bytes } of records) {
    const current = turns.at(-1);
    if (current?.from === from) current.bytes += bytes;
    else turns.push({ from, bytes });
  }
  return turns;
}

/** One record of the TLS record layer, as its header in clear tells it. Source: RFC 8446 section 5.1. */
type TlsRecord = {
  from: 'client' | 'server';
  type: number;
  /** Header included. */
  bytes: number;
  /** A ServerHello that asks the client for another group. */
  helloRetry: boolean;
};

const applicationData = 23;

const headerBytes = 5;

/** Cuts what passes into records, in the order in which they end. */
export class RecordReader {
  readonly records: TlsRecord[] = [];
  readonly #pending = { client: Buffer.alloc(0), server: Buffer.alloc(0) };

  read(from: 'client' | 'server', piece: Buffer): void {
    let left = Buffer.concat([this.#pending[from], piece]);
    while (left.length >= headerBytes) {
      const bytes = headerBytes + left.readUInt16BE(3);
      if (left.length < bytes) break;
      this.records.push({ from, type: left.readUInt8(0), bytes, helloRetry: isHelloRetry(left) });
      left = left.subarray(bytes);
    }
    this.#pending[from] = left;
  }
}

export type Contexts = { server: SecureContext; client: SecureContext };

export type Call = {
  cell: HandshakeCell;
  /** To resume; null for a full handshake. */
  session: Buffer | null;
  /** Gets every session that the server gives away. */
  keepSession?: (session: Buffer) => void;
};

/**
 * One connection through memory: handshake, what was agreed on held against the cell, the payload there and back.
 * Both ends are closed when it resolves. Rejects with the first error of either end.
 */
export async function connectOnce(
  { server, client }: Contexts,
  call: Call,
  [near, far] = MemoryEnd.pair(),
): Promise<Agreed> {
  const { promise, resolve, reject } = Promise.withResolvers<Agreed>();
  const answering = answer(far, server, reject);
  const calling = dial(near, client, call, resolve, reject);
  try {
    return await promise;
  } finally {
    await closePair(calling, answering);
  }
}

/** The server's end of one connection over any stream: sends back what comes. */
export function answer(
  stream: Duplex,
  secureContext: SecureContext,
  fail: (error: Error) => void,
): TLSSocket {
  const socket = new TLSSocket(stream, { isServer: true, secureContext });
  socket.on('error', fail);
  echo(socket);
  return socket;
}

/** The client's end; `done` once the payload has come back. */
export function dial(
  stream: Duplex,
  secureContext: SecureContext,
  { cell, session, keepSession }: Call,
  done: (agreed: Agreed) => void,
  fail: (error: Error) => void,
): TLSSocket {
  const socket = connect({
    socket: stream,
    secureContext,
    rejectUnauthorized: false,
    ...(session === null ? {} : { session }),
  });
  socket.on('error', fail);
  // Without a listener the library is spared packing sessions.
  if (keepSession !== undefined) socket.on('session', keepSession);
  socket.once('secureConnect', () => {
    try {
      const agreed = readAgreed(socket, cell, session !== null);
      count(socket, cell.bytes, () => done(agreed));
      pour(socket, cell.bytes);
    } catch (error) {
      fail(error as Error);
    }
  });
  return socket;
}
