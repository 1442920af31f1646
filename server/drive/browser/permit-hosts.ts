import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, isIP } from 'node:net';
import { type Duplex, pipeline } from 'node:stream';
import type { Permit } from '../../../shared/target/target.ts';
import { judgeAddress, type OwnListener, reasonAgainstOwn } from '../../base/addresses/target-policy.ts';
import { withinTime } from '../../base/process/children.ts';
import {
  type Addresses,
  bare,
  forwardRequest,
  ignore,
  keepTo,
  lookupOf,
  refuseRequest,
} from './forward-request.ts';

/** A host that was asked for and not reached. */
export type BlockedHost = { host: string; count: number; reason: string };

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

const mostHosts = 100;

type PermittedHosts = {
  /** Addresses at which the host may be reached, or the reason why it may not. */
  judge(url: URL): Promise<Pinned>;
  /** The same, and counted as reached or refused. */
  permit(url: URL): Promise<Pinned>;
  /** In the order of their first request. */
  blocked(): BlockedHost[];
};

/** Which hosts may be reached: of those that are permitted, none of the dashboard's own listeners. */
function permitHosts({ known, permits, own, onRefused, onReached }: EgressOptions): PermittedHosts {
  const pin = openPins(known, permits);
  const refused = new Map<string, BlockedHost>();
  const reached = new Set<string>();

  async function judge({ hostname, port, protocol }: URL): Promise<Pinned> {
    const pinned = await pin(bare(hostname));
    if ('reason' in pinned) return pinned;
    const at = Number(port) || (protocol === 'http:' ? 80 : 443);
    const reasons = pinned.addresses.map((address) => reasonAgainstOwn(address, at, own));
    const reason = reasons.find((each) => each !== null);
    return reason === undefined ? pinned : { reason };
  }

  function refuse(host: string, reason: string): void {
    const known = refused.get(host);
    if (known === undefined && refused.size >= mostHosts) return;
    const blocked = { host, count: (known?.count ?? 0) + 1, reason };
    refused.set(host, blocked);
    onRefused(blocked);
  }

  return {
    judge,
    async permit(url) {
      const { hostname, host, origin } = url;
      const pinned = await judge(url);
      if ('reason' in pinned) refuse(host, pinned.reason);
      else {
        if (!reached.has(hostname)) onReached?.(origin);
        reached.add(hostname);
      }
      return pinned;
    },
    blocked: () => [...refused.values()],
  };
}

/** Addresses that a name may be reached at, or a sentence that says why there are none. */
type Pinned = { addresses: [string, ...string[]] } | { reason: string };

const lookupMs = 5_000;
/** A page may make names up as fast as it can. */
const most = { names: 1_000, lookups: 2, waiting: 100 };

/**
 * Looks each name up once, judges every address that it leads to, and stays with the answer: a name cannot lead
 * elsewhere later. One that led nowhere is looked up again.
 * @param known names that are not looked up, such as the storefront's, and their address
 */
function openPins(
  known: ReadonlyMap<string, string>,
  permits: readonly Permit[],
): (hostname: string) => Promise<Pinned> {
  const pins = new Map<string, Promise<Pinned>>(
    [...known].map(([hostname, address]) => [hostname, Promise.resolve(judge(hostname, [address], permits))]),
  );
  const lookUp = openLookups();

  async function pin(hostname: string): Promise<Pinned> {
    const addresses = isIP(hostname) === 0 ? await withinTime(lookUp(hostname), lookupMs, []) : [hostname];
    if (addresses.length === 0) pins.delete(hostname);
    return judge(hostname, addresses, permits);
  }

  return (hostname) => {
    const known = pins.get(hostname);
    if (known !== undefined) return known;
    if (pins.size >= most.names) return Promise.resolve({ reason: 'Too many hosts were asked for.' });
    const pinned = pin(hostname);
    pins.set(hostname, pinned);
    return pinned;
  };
}

function judge(hostname: string, [first, ...others]: string[], permits: readonly Permit[]): Pinned {
  if (first === undefined) return { reason: `${hostname} cannot be resolved.` };
  for (const address of [first, ...others]) {
    const verdict = judgeAddress(address, hostname, permits);
    if (!verdict.permitted) {
      return {
        reason: `${address === hostname ? '' : `${hostname} resolves to ${address}. `}${verdict.reason}`,
      };
    }
  }
  return { addresses: [first, ...others] };
}

/**
 * A lookup holds one of the few threads that files are read by as well, for as long as a silent name server lets it: so a
 * few at a time. Empty when the name has no address.
 */
function openLookups(): (hostname: string) => Promise<string[]> {
  const waiting: (() => void)[] = [];
  let underWay = 0;
  return async (hostname) => {
    if (waiting.length >= most.waiting) return [];
    if (underWay < most.lookups) underWay += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return (await lookup(asLocal(hostname), { all: true })).map(({ address }) => address);
    } catch {
      return [];
    } finally {
      const next = waiting.shift();
      if (next === undefined) underWay -= 1;
      else next();
    }
  };
}

/** `shop.localhost` is this machine, as a browser takes it, whatever a name server says: RFC 6761, section 6.3. */
function asLocal(hostname: string): string {
  return /(^|\.)localhost\.?$/i.test(hostname) ? 'localhost' : hostname;
}

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
