import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import type { Turn } from '../../../shared/kinds/handshakes/handshake-samples.ts';
import { closePair } from './close-pair.ts';
import { MemoryEnd } from './memory-pair.ts';
import { pour } from './payload.ts';

/**
 * The runtime's own share of a connection: the same streams, the same turns and bytes, without TLS. The ends are
 * wrapped as `tls` wraps a stream that is no socket, so what that costs is in it.
 */
export async function connectPlain(turns: readonly Turn[], bytes: number): Promise<void> {
  const [near, far] = MemoryEnd.pair().map(wrap) as [Duplex, Duplex];
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const server = answerPlain(far, turns, reject);
  const client = dialPlain(near, turns, bytes, resolve, reject);
  try {
    await promise;
  } finally {
    await closePair(client, server);
  }
}

/** The server's end: its turns, each after the client's before it, then it sends back what comes. */
export function answerPlain(stream: Duplex, turns: readonly Turn[], fail: (error: Error) => void): Duplex {
  const play = player(turns, 'server', stream);
  stream.on('error', fail);
  stream.on('data', (read: Buffer) => {
    const excess = play(read.length);
    if (excess === 0 || stream.write(read.subarray(-excess))) return;
    stream.pause();
    stream.once('drain', () => stream.resume());
  });
  return stream;
}

/** The client's end; `done` when all turns and the payload have come. */
export function dialPlain(
  stream: Duplex,
  turns: readonly Turn[],
  bytes: number,
  done: () => void,
  fail: (error: Error) => void,
): Duplex {
  const lastTurn = turns.findLastIndex(({ from }) => from === 'client');
  const untilPayload = sumOf(turns.slice(0, lastTurn), 'server');
  const play = player(turns, 'client', stream);
  let left = sumOf(turns, 'server') + bytes;
  let before = 0;
  stream.on('error', fail);
  stream.on('data', (read: Buffer) => {
    play(read.length);
    if (before < untilPayload && before + read.length >= untilPayload) pour(stream, bytes);
    before += read.length;
    left -= read.length;
    if (left === 0) done();
  });
  play(0);
  return stream;
}

/** Takes the bytes read, writes the turns that are due, and returns how many of the bytes belong to no turn. */
function player(turns: readonly Turn[], side: Turn['from'], stream: Duplex): (read: number) => number {
  let due = 0;
  let awaited = 0;
  return (read) => {
    awaited -= read;
    while (due < turns.length && awaited <= 0) {
      const turn = turns[due++] as Turn;
      if (turn.from === side) stream.write(Buffer.alloc(turn.bytes));
      else awaited += turn.bytes;
    }
    return due < turns.length || awaited > 0 ? 0 : takeExcess();
  };

  function takeExcess(): number {
    const excess = -awaited;
    awaited = 0;
    return excess;
  }
}

function sumOf(turns: readonly Turn[], side: Turn['from']): number {
  return turns.reduce((sum, { from, bytes }) => (from === side ? sum + bytes : sum), 0);
}

/**
 * As `tls` wraps a stream that is no socket. The class has no public name, but a TLS socket over a stream holds one; should
 * it hold none any more, the streams go without, and the runtime's share comes out smaller.
 */
const wrap = findWrap();

function findWrap(): (stream: Duplex) => Duplex {
  const socket = new TLSSocket(MemoryEnd.pair()[0]) as unknown as Wrapping;
  const StreamSocket = socket._handle?._parentWrap?.constructor;
  socket.destroy();
  return StreamSocket === undefined ? (stream) => stream : (stream) => new StreamSocket(stream);
}

type Wrapping = {
  _handle?: { _parentWrap?: { constructor: new (stream: Duplex) => Duplex } };
  destroy(): void;
};
