import type { Step } from '../../../shared/scenario.ts';
import type { Dialer } from './dialer.ts';
import { explainHandshake } from './explain-connection.ts';
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
      `${at} got no whole answer from ${endpoint} within ${dialer.timeoutMs / 1000} s.`,
    );
  }
  if (code.startsWith('HPE_')) {
    return new Obstacle('http_version', `${at}: what ${endpoint} answers is not HTTP/1.1 (${code}).`);
  }
  if (code.startsWith('ERR_SSL_')) {
    // TLS 1.3 servers refuse a client after the client's own side of the handshake is over.
    const { listener, profile, timeoutMs } = dialer;
    return new Obstacle('tls', explainHandshake(code, Buffer.alloc(0), listener, profile, timeoutMs));
  }
  return new Obstacle('status', `${at} got no whole answer: ${endpoint} closed the connection (${code}).`);
}
