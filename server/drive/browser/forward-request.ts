import { type Agent, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { LookupFunction, Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { isAddress } from '../../base/addresses/target-policy.ts';
import { reasonOf } from '../../base/text/foreign-errors.ts';

/** On what the egress answers in the place of a server. */
export const blockedHeader = 'x-tls-toll-blocked';

/** A request in plain text goes on to one of the addresses, and its answer comes back. */
export function forwardRequest(
  agent: Agent,
  { url, addresses }: { url: URL; addresses: Addresses },
  incoming: IncomingMessage,
  response: ServerResponse,
): void {
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
  // No `Upgrade` was sent on. Without this listener Node drops the connection and says nothing.
  outgoing.once('upgrade', (_answer, socket) => {
    socket.destroy();
    refuseRequest(response, 502, `${url.host} answers 101 Switching Protocols to an ordinary request.`);
  });
  outgoing.once('response', (answer) => {
    try {
      response.writeHead(answer.statusCode ?? 502, withoutHopHeaders(answer.rawHeaders));
      pipeline(answer, response, ignore);
    } catch {
      // Node reads more of a strange answer, such as the status 099, than it writes.
      outgoing.destroy();
      refuseRequest(response, 502, `${url.host} answers with what is no HTTP.`);
    }
  });
  outgoing.once('error', (error) => {
    if (response.headersSent) response.destroy();
    else refuseRequest(response, 502, `${url.host} ${reasonOf(error)}.`);
  });
  response.once('close', () => outgoing.destroy());
  pipeline(incoming, outgoing, ignore);
}

export function refuseRequest(response: ServerResponse, status: number, sentence: string): void {
  response.writeHead(status, {
    [blockedHeader]: 'yes',
    'Content-Type': 'text/plain; charset=utf-8',
    'Cache-Control': 'no-store',
  });
  response.end(`${sentence}\n`);
}

/** Headers that are between two neighbors, RFC 9110 section 7.6.1: each side of a proxy writes its own. */
const hopHeaders = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** @param raw names and values in turn, as `rawHeaders` has them */
function withoutHopHeaders(raw: readonly string[]): string[] {
  const kept: string[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const [name = '', value = ''] = raw.slice(at, at + 2);
    if (!hopHeaders.has(name.toLowerCase())) kept.push(name, value);
  }
  return kept;
}

/** Addresses that a host resolved to and may be reached at. */
export type Addresses = [string, ...string[]];

/** An IPv6 address without the brackets of a URL. */
export function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/** Ends a connection that leads to none of the addresses, before anything is sent. */
export function keepTo(socket: Socket, addresses: Addresses): void {
  const check = () => {
    if (!addresses.some((address) => isAddress(socket.remoteAddress, address))) socket.destroy();
  };
  if (socket.connecting) socket.prependOnceListener('connect', check);
  else check();
}

/** A lookup that knows one answer. */
export function lookupOf([first, ...others]: Addresses): LookupFunction {
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

/** Either side may go away at any time; the other is closed with it. */
export function ignore(): void {}
