import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import type { MadeConnection } from '../../../shared/target/probe.ts';
import { codeOf } from '../preflight/check-problem.ts';
import type { Dialer, Handshake } from '../preflight/dialer.ts';
import { readSession } from './read-session.ts';

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
      let refused = '';
      socket.once('error', (error) => {
        refused = codeOf(error);
      });
      await ticketsOf(socket as TLSSocket, given, ticketMs);
      if (refused !== '') throw dialer.explainRefusal(refused);
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
