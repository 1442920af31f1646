import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createSecureServer, type TLSSocket } from 'node:tls';
import { listenAt } from '../process/listen-at.ts';
import { ConnectionLimit } from './connection-limit.ts';

type PinnedServer = { port: number; server: Server; close(): Promise<void> };

type Options = {
  host: string;
  port: number;
  /** PEM. */
  identity: { certificatePem: string; keyPem: string };
  /** How long a TLS handshake may take. */
  handshakeMs: number;
  /** Connections with the token, at once. */
  mostFriends: number;
  /**
   * Begins the conversation.
   * @param introduce to call once the other end has proved that it has the token; returns whether there is a place for it
   */
  converse(socket: TLSSocket, introduce: () => boolean): void;
};

/** Listens over TLS 1.3, and keeps strangers from taking the places of those with the token. Throws address_in_use, invalid_environment. */
export async function servePinned({
  host,
  port,
  identity,
  handshakeMs,
  mostFriends,
  converse,
}: Options): Promise<PinnedServer> {
  const sockets = new Set<Socket>();
  const limit = new ConnectionLimit(performance.now(), mostFriends);
  const secured = createSecureServer(
    {
      ...{ cert: identity.certificatePem, key: identity.keyPem },
      ...{ minVersion: 'TLSv1.3', handshakeTimeout: handshakeMs },
    },
    (socket) => converse(socket, () => limit.introduce(idOf(socket))),
  );
  secured.on('tlsClientError', (_error, socket) => socket.destroy());
  const server = createServer({ noDelay: true, keepAlive: true, keepAliveInitialDelay: 30_000 }, (raw) => {
    const id = idOf(raw);
    const leave = () => raw.destroy();
    if (!limit.admit(id, raw.remoteAddress ?? '', performance.now(), leave)) return raw.destroy();
    sockets.add(raw);
    raw.once('close', () => {
      sockets.delete(raw);
      limit.left(id);
    });
    secured.emit('connection', raw);
  });
  await listenAt(server, { host, port });
  return {
    port: (server.address() as AddressInfo).port,
    server,
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** The same for a TCP connection and for the TLS on it. */
function idOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
