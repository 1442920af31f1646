import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { TLSSocket } from 'node:tls';
import type { TargetCounters } from '../../../shared/target.ts';

export type Certificate = { certPem: string; keyPem: string };

type Counts = Omit<TargetCounters, 'cpuUs' | 'rssBytes'>;

/** The same server over TCP, or over TLS when there is a certificate, with a count of what happens to it. */
export function createListener(
  application: RequestListener,
  certificate: Certificate | null,
): { server: Server; counts: Counts } {
  const counts: Counts = { requests: 0, connections: 0, handshakesFull: 0, handshakesResumed: 0 };
  const server = certificate === null ? createServer(options) : createTlsServer(certificate);
  server.on('connection', () => {
    counts.connections++;
  });
  server.on('secureConnection', (socket: TLSSocket) => {
    if (socket.isSessionReused()) counts.handshakesResumed++;
    else counts.handshakesFull++;
  });
  server.on('request', () => {
    counts.requests++;
  });
  server.on('request', application);
  return { server, counts };
}

const options: ServerOptions = { noDelay: true, keepAliveTimeout: 75_000 };

/** Groups and suites are Node's own, session tickets are on, and HTTP/1.1 is all that is offered. */
function createTlsServer({ certPem, keyPem }: Certificate): Server {
  return createSecureServer({
    ...options,
    cert: certPem,
    key: keyPem,
    minVersion: 'TLSv1.2',
    maxVersion: 'TLSv1.3',
    ALPNProtocols: ['http/1.1'],
  });
}
