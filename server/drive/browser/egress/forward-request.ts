import { type Agent, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { withoutHopHeaders } from './hop-headers.ts';
import { type Addresses, bare, ignore, keepTo, lookupOf } from './reach.ts';

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
    else refuseRequest(response, 502, `${url.host} does not answer: ${error.message}.`);
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
