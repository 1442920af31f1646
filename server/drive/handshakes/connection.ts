import type { Duplex } from 'node:stream';
import { connect, type SecureContext, TLSSocket } from 'node:tls';
import type { Agreed, HandshakeCell } from '../../../shared/kinds/handshakes/handshakes.ts';
import { closePair } from './close-pair.ts';
import { MemoryEnd } from './memory-pair.ts';
import { count, echo, pour } from './payload.ts';
import { readAgreed } from './read-agreed.ts';

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
