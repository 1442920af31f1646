import { once } from 'node:events';
import { type AddressInfo, connect as connectPlain, createServer, type Socket } from 'node:net';
import { connect as connectTls, type SecureContext, type TLSSocket } from 'node:tls';
import type { HandshakeCell } from '../../../shared/kinds/handshakes/handshakes.ts';
import { sessionOf } from './cell-bench.ts';
import { answer } from './connection.ts';
import { echo } from './payload.ts';
import { readAgreed } from './read-agreed.ts';

/** Both ends of a connection over TCP, which may have a path in between. */

const host = '127.0.0.1';
const request = Buffer.alloc(1);

/** Sends back what comes, with TLS where there is a context; resolves with the port. */
export async function serve(context: SecureContext | null): Promise<number> {
  const server = createServer({ noDelay: true }, (socket) => {
    // A client that leaves is no error of the server's.
    const leave = () => socket.destroy();
    socket.on('error', leave);
    if (context === null) echo(socket);
    else answer(socket, context, leave).once('end', leave);
  });
  server.listen(0, host);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

type Client = { cell: HandshakeCell; context: SecureContext };
/** The server's end of the path, and its own port on loopback. */
type Where = { address: string; port: number; nearPort: number; connections: number };

/**
 * Milliseconds from the beginning of a connection to the first byte of the answer, of one connection after another. Rejects
 * with the first error, and with a sentence where something else was negotiated than the cell says.
 * @param client null without TLS
 */
export async function reach(
  client: Client | null,
  { address, port, nearPort, connections }: Where,
): Promise<Float64Array<ArrayBuffer>> {
  const session =
    client?.cell.resumption === 'resumed'
      ? await sessionOf((call) =>
          askOnce(openTls(client, { address: host, port: nearPort }, null, call.keepSession)),
        )
      : null;
  const times = new Float64Array(connections);
  for (let i = 0; i < connections; i++) {
    const fromMs = performance.now();
    await askOnce(
      client === null ? openPlain({ address, port }) : openTls(client, { address, port }, session),
    );
    times[i] = performance.now() - fromMs;
  }
  return times;
}

/** `ready` when the request may be sent. */
type Opening = { socket: Socket | TLSSocket; ready: Promise<void> };

type Server = Pick<Where, 'address' | 'port'>;

function openPlain({ address, port }: Server): Opening {
  const socket = connectPlain({ port, host: address, noDelay: true });
  return { socket, ready: onceOf(socket, 'connect') };
}

function openTls(
  { cell, context }: Client,
  { address, port }: Server,
  session: Buffer | null,
  keepSession?: (session: Buffer) => void,
): Opening {
  const socket = connectTls({
    socket: connectPlain({ port, host: address, noDelay: true }),
    secureContext: context,
    rejectUnauthorized: false,
    ...(session === null ? {} : { session }),
  });
  if (keepSession !== undefined) socket.on('session', keepSession);
  const ready = onceOf(socket, 'secureConnect').then(() => {
    readAgreed(socket, cell, session !== null);
  });
  return { socket, ready };
}

async function askOnce({ socket, ready }: Opening): Promise<void> {
  const answered = onceOf(socket, 'data');
  answered.catch(() => {});
  try {
    await ready;
    socket.write(request);
    await answered;
  } finally {
    socket.destroy();
  }
}

/** Rejects when the socket closes first. */
function onceOf(socket: Socket, event: 'connect' | 'secureConnect' | 'data'): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once(event, () => resolve());
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('the connection was closed before an answer came')));
  });
}
