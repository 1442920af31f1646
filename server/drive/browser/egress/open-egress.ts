import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { type Duplex, pipeline } from 'node:stream';
import { forwardRequest, refuseRequest } from './forward-request.ts';
import { type BlockedHost, type EgressOptions, permitHosts } from './permit-hosts.ts';
import { type Addresses, bare, ignore, keepTo, lookupOf } from './reach.ts';

export type Egress = {
  /** For a browser's proxy setting. */
  url: string;
  /** Why this address cannot be reached; null when it can. Not counted. */
  reasonAgainst(url: URL): Promise<string | null>;
  /** In the order of their first request. */
  blocked(): BlockedHost[];
  close(): Promise<void>;
};

/**
 * The only way out of a browser that is not to be trusted: an HTTP proxy on loopback that connects to permitted addresses
 * only. As the browser resolves no name by itself and each hop of a redirect is a request of its own, nothing gets past it.
 */
export async function openEgress(options: EgressOptions): Promise<Egress> {
  const hosts = permitHosts(options);
  const tunnels = new Set<Duplex>();
  const agent = new Agent({ keepAlive: true });
  const server = createServer((incoming, response) => {
    forward(incoming, response).catch(() => response.destroy());
  });
  server.on('connect', (incoming, socket, head) => {
    tunnel(incoming, socket, head).catch(() => socket.destroy());
  });
  // Chromium asks for a tunnel before it upgrades.
  server.on('upgrade', (_incoming, socket) => socket.destroy());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  async function forward(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = URL.parse(incoming.url ?? '');
    if (url?.protocol !== 'http:') return refuseRequest(response, 400, 'This is a proxy of a recorder.');
    const pinned = await hosts.permit(url);
    if ('reason' in pinned) refuseRequest(response, 403, `${url.host} is not permitted: ${pinned.reason}`);
    else forwardRequest(agent, { url, ...pinned }, incoming, response);
  }

  async function tunnel(incoming: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', ignore);
    tunnels.add(socket);
    socket.once('close', () => tunnels.delete(socket));
    const url = URL.parse(`https://${incoming.url ?? ''}`);
    const pinned = url === null ? null : await hosts.permit(url);
    if (url === null || pinned === null || 'reason' in pinned)
      socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
    else join(socket, head, { url, ...pinned });
  }

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async reasonAgainst(url) {
      const pinned = await hosts.judge(url);
      return 'reason' in pinned ? pinned.reason : null;
    },
    blocked: hosts.blocked,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      for (const socket of tunnels) socket.destroy();
      agent.destroy();
      await closed;
    },
  };
}

/** A tunnel to one of the addresses: what lies in it is for its two ends. */
function join(socket: Duplex, head: Buffer, { url, addresses }: { url: URL; addresses: Addresses }): void {
  const outgoing = connect({
    ...{ host: bare(url.hostname), port: Number(url.port) || 443, noDelay: true },
    lookup: lookupOf(addresses),
  });
  keepTo(outgoing, addresses);
  outgoing.once('connect', () => {
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    if (head.length > 0) outgoing.write(head);
    pipeline(socket, outgoing, socket, ignore);
  });
  outgoing.once('error', () => socket.destroy());
  socket.once('close', () => outgoing.destroy());
}
