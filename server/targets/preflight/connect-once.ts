import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import type { RoundTrip } from '../../../shared/target/preflight.ts';
import type { GivenSession, MadeConnection } from '../../../shared/target/probe.ts';
import { quantile } from '../../method/statistics/intervals.ts';
import type { Dialer, Handshake } from './dialer.ts';
import { CheckBudget } from './inspection.ts';

export type Connected = {
  made: MadeConnection;
  handshake: Handshake;
  /** The newest session that can be offered next; null when the server gave none. */
  session: Buffer | null;
};

/** What browsers offer. */
const protocols = ['h2', 'http/1.1'];

/** Patience with the first ticket of a server, and with any other. */
export const firstTicketMs = 1000;
export const nextTicketMs = 40;

/** One connection: handshake, and the tickets that come after it in TLS 1.3; nothing is requested. Throws a CheckProblem. */
export async function connectOnce(
  dialer: Dialer,
  { offer, ticketMs }: { offer: Buffer | null; ticketMs: number },
): Promise<Connected> {
  const began = performance.now();
  const transport = await dialer.connect();
  const connected = performance.now();
  const given: Buffer[] = [];
  try {
    const { socket, handshake } = await dialer.shakeHands(transport, {
      protocols,
      onSession: (session) => given.push(session),
      ...(offer === null ? {} : { session: offer }),
    });
    const shaken = performance.now();
    const handshakeReceived = transport.bytesRead;
    const isLate = handshake.negotiated.protocol === 'TLSv1.3';
    if (isLate) {
      let refused = null as Error | null;
      socket.once('error', (error) => {
        refused = error;
      });
      await ticketsOf(socket as TLSSocket, given, ticketMs);
      if (refused !== null) throw dialer.explainRefusal(refused);
    }
    const sent = await bytesSentBy(transport);
    return {
      handshake,
      session: given.at(-1) ?? null,
      made: {
        status: 'made',
        offered: offer !== null,
        reused: handshake.resumed,
        helloRetry: handshake.retried,
        connectMs: connected - began,
        handshakeMs: shaken - connected,
        handshakeBytes: { clientToServer: sent, serverToClient: handshakeReceived },
        withTicketsBytes: { clientToServer: sent, serverToClient: transport.bytesRead },
        sessions: given.flatMap((session) => readSession(session) ?? []),
      },
    };
  } finally {
    transport.destroy();
  }
}

/** Ends when none has come for a while, or when the connection has ended. */
async function ticketsOf(socket: TLSSocket, given: readonly Buffer[], patienceMs: number): Promise<void> {
  if (given.length === 0) await anotherTicket(socket, patienceMs);
  for (let count = -1; count < given.length && !socket.destroyed; ) {
    count = given.length;
    if (count > 0) await anotherTicket(socket, nextTicketMs);
  }
}

/** Ends with a ticket, the connection's end, or patience's end. */
export async function anotherTicket(socket: Socket, patienceMs: number): Promise<void> {
  const signal = AbortSignal.timeout(patienceMs);
  await Promise.race([once(socket, 'session', { signal }), once(socket, 'close', { signal })]).catch(
    () => {},
  );
}

/** The client's last message is on its way when the handshake is told to be over. */
async function bytesSentBy(transport: Socket): Promise<number> {
  await sleep(0);
  return transport.bytesWritten;
}

/**
 * What a serialized session says of itself. The platform hands it out as OpenSSL writes it, behind words of its own: it is
 * the structure that ends where the buffer does. Null when there is none, or when it holds nothing to resume by.
 * Source: OpenSSL, ssl/ssl_asn1.c: SSL_SESSION, with the lifetime in [9] and the ticket in [10].
 */
function readSession(session: Buffer): GivenSession | null {
  const fields = fieldsOf(session);
  if (fields === null) return null;
  const lifetime = fields.find(({ tag }) => tag === contextTag(9));
  const ticket = fields.find(({ tag }) => tag === contextTag(10));
  const ticketBytes = ticket === undefined ? 0 : (elementAt(ticket.content, 0)?.content.length ?? 0);
  // The suite is the first octet string, the id of the session the second.
  const id = fields.filter(({ tag }) => tag === octetString)[1];
  if (ticketBytes === 0 && (id === undefined || id.content.length === 0)) return null;
  return {
    kind: ticketBytes > 0 ? 'ticket' : 'session id',
    lifetimeS: lifetime === undefined ? null : integerIn(lifetime.content),
    ticketBytes,
  };
}

type Element = { tag: number; content: Buffer; end: number };

const sequence = 0x30;
const octetString = 0x04;

function contextTag(number: number): number {
  return 0xa0 + number;
}

function fieldsOf(session: Buffer): Element[] | null {
  for (let start = session.indexOf(sequence); start >= 0; start = session.indexOf(sequence, start + 1)) {
    const whole = elementAt(session, start);
    if (whole === null || whole.end !== session.length) continue;
    const fields = elementsIn(whole.content);
    if (fields !== null) return fields;
  }
  return null;
}

/** Null when they do not fill it exactly. */
function elementsIn(content: Buffer): Element[] | null {
  const elements: Element[] = [];
  for (let at = 0; at < content.length; ) {
    const element = elementAt(content, at);
    if (element === null) return null;
    elements.push(element);
    at = element.end;
  }
  return elements;
}

/** Tag, length, content: DER, ITU-T X.690. */
function elementAt(bytes: Buffer, at: number): Element | null {
  const tag = bytes[at];
  const first = bytes[at + 1];
  if (tag === undefined || first === undefined) return null;
  const lengthBytes = first < 0x80 ? 0 : first - 0x80;
  if (lengthBytes > 4 || at + 2 + lengthBytes > bytes.length) return null;
  const length = lengthBytes === 0 ? first : bytes.readUIntBE(at + 2, lengthBytes);
  const begin = at + 2 + lengthBytes;
  const end = begin + length;
  return end > bytes.length ? null : { tag, content: bytes.subarray(begin, end), end };
}

function integerIn(content: Buffer): number | null {
  const integer = elementAt(content, 0)?.content;
  if (integer === undefined || integer.length === 0 || integer.length > 6) return null;
  return integer.readUIntBE(0, integer.length);
}

const mostConnections = 7;

/** How many are opened for it at most: fewer where the target permits few. */
export function roundTripConnections(budget: CheckBudget | null): number {
  return budget === null ? 0 : Math.min(mostConnections, CheckBudget.handshakes(budget));
}

/**
 * From how long the dialer's connections took to open, with as many more as are missing, less what one takes that goes
 * nowhere. Null on this machine. Throws a CheckProblem.
 */
export async function measureRoundTrip(dialer: Dialer): Promise<RoundTrip | null> {
  const { connectTimesUs, budget } = dialer;
  if (budget === null) return null;
  const ownUs = await connectHereUs();
  while (connectTimesUs.length < roundTripConnections(budget)) (await dialer.connect()).destroy();
  return {
    connections: connectTimesUs.length,
    minimumUs: Math.max(0, Math.min(...connectTimesUs) - ownUs),
    medianUs: Math.max(0, quantile(connectTimesUs, 0.5) - ownUs),
  };
}

/** What opening a connection takes by itself: on loopback, the shortest of as many. */
async function connectHereUs(): Promise<number> {
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const timesUs: number[] = [];
  for (let connection = 0; connection < mostConnections; connection++) {
    const fromMs = performance.now();
    const socket = connect({ host: '127.0.0.1', port, noDelay: true });
    socket.on('error', () => socket.destroy());
    await once(socket, 'connect');
    timesUs.push((performance.now() - fromMs) * 1000);
    socket.destroy();
  }
  server.close();
  return Math.min(...timesUs);
}
