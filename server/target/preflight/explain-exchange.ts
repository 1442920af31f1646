import type { Step } from '../../../shared/scenario.ts';
import { isEncrypted } from '../../../shared/transport.ts';
import type { Dialer } from './dialer.ts';
import { explainHandshake } from './explain-connection.ts';
import { notHttp2 } from './http2-visitor.ts';
import { codeOf, Obstacle } from './obstacle.ts';
import { endpointOf } from './origin.ts';

/** Why a request on an open connection got no whole response. */
export function explainExchange(error: unknown, step: Step, dialer: Dialer, timedOut: boolean): Obstacle {
  const endpoint = endpointOf(dialer.listener);
  const at = `Step “${step.name}”`;
  const code = codeOf(error);
  if (timedOut) {
    return new Obstacle(
      'status',
      `${at} got no complete response from ${endpoint} within ${dialer.timeoutMs / 1000} s.`,
    );
  }
  if (code.startsWith('HPE_')) {
    return new Obstacle('http_version', `${at}: the response from ${endpoint} is not HTTP/1.1 (${code}).`);
  }
  if (code === notHttp2) {
    return new Obstacle('http_version', `${endpoint} does not speak HTTP/2. ${adviceOnHttp2(dialer)}.`);
  }
  if (code === 'ERR_HTTP2_ERROR') {
    return new Obstacle('http_version', `${at}: the response from ${endpoint} is not HTTP/2 (${code}).`);
  }
  if (code === 'ERR_HTTP2_STREAM_ERROR') {
    return new Obstacle('status', `${at} got no complete response: ${endpoint} reset the stream.`);
  }
  if (code.startsWith('ERR_SSL_')) {
    // TLS 1.3 servers refuse a client after the client's own side of the handshake is over.
    const { listener, profile, timeoutMs } = dialer;
    return new Obstacle('tls', explainHandshake(code, Buffer.alloc(0), listener, profile, timeoutMs));
  }
  return new Obstacle(
    'status',
    `${at} got no complete response: ${endpoint} closed the connection (${code}).`,
  );
}

/** Without TLS nothing is agreed on: a server has to expect HTTP/2 from the first byte on. */
function adviceOnHttp2({ listener }: Dialer): string {
  return isEncrypted(listener.transport)
    ? 'Check the server’s log, or choose the transport https'
    : 'Enable HTTP/2 without TLS (prior knowledge), or choose the transport http';
}
