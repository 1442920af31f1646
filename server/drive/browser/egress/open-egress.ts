import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type LookupFunction, type Socket } from 'node:net';
import { type Duplex, pipeline } from 'node:stream';
import type { Permit } from '../../../../shared/target/permitted-target.ts';
import { type OwnListener, reasonAgainstOwn } from '../../../base/addresses/own-listeners.ts';
import { isAddress } from '../../../base/addresses/target-policy.ts';
import { withoutHopHeaders } from './hop-headers.ts';
import { openPins, type Pinned } from './pin-host.ts';

/** A host that was asked for and not reached. */
export type BlockedHost = { host: string; count: number; reason: string };

export type Egress = {
  /** For a browser's proxy setting. */
  url: string;
  /** Why this address cannot be reached; null when it can. Not counted. */
  reasonAgainst(url: URL): Promise<string | null>;
  /** In the order of their first request. */
  blocked(): BlockedHost[];
  close(): Promise<void>;
};

export type EgressOptions = {
  /** Names that are not looked up, and their address. */
  known: ReadonlyMap<string, string>;
  /** Hosts besides this machine. */
  permits: readonly Permit[];
  /** The dashboard's own, which no page may reach. */
  own: readonly OwnListener[];
  onRefused(blocked: BlockedHost): void;
  /** Told once for each host, of this machine too, before anything is sent to it. */
  onReached?: ((origin: string) => void) | undefined;
};

/** On what the egress answers in the place of a server. */
export const blockedHeader = 'x-tls-toll-blocked';

const mostHosts = 100;

type Addresses = [string, ...string[]];

/**
 * The only way out of a browser that is not to be trusted: an HTTP proxy on loopback that connects to permitted addresses
 * only. As the browser resolves no name by itself and each hop of a redirect is a request of its own, nothing gets past it.
 */
export async function openEgress({
  known,
  permits,
  own,
  onRefused,
  onReached = () => {},
}: EgressOptions): Promise<Egress> {
  const pin = openPins(known, permits);
  const refused = new Map<string, BlockedHost>();
  const reached = new Set<string>();
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

  async function judge({ hostname, port, protocol }: URL): Promise<Pinned> {
    const pinned = await pin(bare(hostname));
    if ('reason' in pinned) return pinned;
    const at = Number(port) || (protocol === 'http:' ? 80 : 443);
    const reasons = pinned.addresses.map((address) => reasonAgainstOwn(address, at, own));
    const reason = reasons.find((each) => each !== null);
    return reason === undefined ? pinned : { reason };
  }

  /** Where the host may be reached; null, and counted, when it is not permitted. */
  async function permit(url: URL): Promise<Addresses | null> {
    const { hostname, host, origin } = url;
    const pinned = await judge(url);
    if ('addresses' in pinned) {
      if (!reached.has(hostname)) onReached(origin);
      reached.add(hostname);
      return pinned.addresses;
    }
    const known = refused.get(host);
    if (known === undefined && refused.size >= mostHosts) return null;
    const blocked = { host, count: (known?.count ?? 0) + 1, reason: pinned.reason };
    refused.set(host, blocked);
    onRefused(blocked);
    return null;
  }

  async function forward(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = URL.parse(incoming.url ?? '');
    if (url?.protocol !== 'http:') return refuse(response, 400, 'This is a proxy of a recorder.');
    const addresses = await permit(url);
    if (addresses === null) return refuse(response, 403, `${url.host} is not permitted: ${reasonFor(url)}`);
    const outgoing = request({
      agent,
      method: incoming.method,
      hostname: bare(url.hostname),
      port: url.port || 80,
      path: url.pathname + url.search,
      headers: withoutHopHeaders(incoming.rawHeaders),
      lookup: lookupOf(addresses),
    });
    outgoing.once('socket', (connection) => keepTo(connection, addresses));
    outgoing.once('response', (answer) => {
      try {
        response.writeHead(answer.statusCode ?? 502, withoutHopHeaders(answer.rawHeaders));
        pipeline(answer, response, ignore);
      } catch {
        // Node reads more of a strange answer, such as the status 099, than it writes.
        outgoing.destroy();
        refuse(response, 502, `${url.host} answers with what is no HTTP.`);
      }
    });
    outgoing.once('error', (error) => {
      if (response.headersSent) response.destroy();
      else refuse(response, 502, `${url.host} does not answer: ${error.message}.`);
    });
    response.once('close', () => outgoing.destroy());
    pipeline(incoming, outgoing, ignore);
  }

  async function tunnel(incoming: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', ignore);
    const url = URL.parse(`https://${incoming.url ?? ''}`);
    const addresses = url === null ? null : await permit(url);
    if (url === null || addresses === null) {
      socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
      return;
    }
    const port = Number(url.port) || 443;
    const outgoing = connect({
      ...{ host: bare(url.hostname), port, noDelay: true },
      lookup: lookupOf(addresses),
    });
    keepTo(outgoing, addresses);
    tunnels.add(socket);
    socket.once('close', () => tunnels.delete(socket));
    outgoing.once('connect', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      if (head.length > 0) outgoing.write(head);
      pipeline(socket, outgoing, socket, ignore);
    });
    outgoing.once('error', () => socket.destroy());
    socket.once('close', () => outgoing.destroy());
  }

  function reasonFor({ host }: URL): string {
    return refused.get(host)?.reason ?? 'too many hosts were refused.';
  }

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async reasonAgainst(url) {
      const pinned = await judge(url);
      return 'reason' in pinned ? pinned.reason : null;
    },
    blocked: () => [...refused.values()],
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

/** An IPv6 address without the brackets of a URL. */
function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/** Ends a connection that leads to none of the addresses, before anything is sent. */
function keepTo(socket: Socket, addresses: Addresses): void {
  const check = () => {
    if (!addresses.some((address) => isAddress(socket.remoteAddress, address))) socket.destroy();
  };
  if (socket.connecting) socket.prependOnceListener('connect', check);
  else check();
}

/** A lookup that knows one answer. */
function lookupOf([first, ...others]: Addresses): LookupFunction {
  const familyOf = (address: string) => (address.includes(':') ? 6 : 4);
  return (_hostname, options, callback) => {
    if (options.all === true) {
      callback(
        null,
        [first, ...others].map((address) => ({ address, family: familyOf(address) })),
      );
    } else callback(null, first, familyOf(first));
  };
}

function refuse(response: ServerResponse, status: number, sentence: string): void {
  response.writeHead(status, {
    [blockedHeader]: 'yes',
    'Content-Type': 'text/plain; charset=utf-8',
    'Cache-Control': 'no-store',
  });
  response.end(`${sentence}\n`);
}

/** Either side may go away at any time; the other is closed with it. */
function ignore(): void {}
