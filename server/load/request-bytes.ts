import type { Scenario, Step } from '../../shared/scenario.ts';
import type { Listener } from '../../shared/target.ts';
import { isEncrypted } from '../../shared/transport.ts';

/** A step as it goes over the wire, assembled once so that sending it costs one write. */
export type WireRequest = { name: string; bytes: Buffer; expectStatus: number; bodyless: boolean };

/**
 * @param closeLast whether the last request of a transaction asks the server to close the connection
 * @param closeEach whether every request does
 */
export function assembleRequests(
  scenario: Scenario,
  listener: Listener,
  closeLast: boolean,
  closeEach: boolean,
): WireRequest[] {
  return scenario.steps.map((step, index) => {
    const last = index === scenario.steps.length - 1;
    return {
      name: step.name,
      bytes: assemble(step, hostOf(listener), closeEach || (closeLast && last)),
      expectStatus: step.expectStatus,
      bodyless: step.method === 'HEAD',
    };
  });
}

function assemble(step: Step, host: string, close: boolean): Buffer {
  const body = Buffer.from(step.body ?? '');
  const lines = [
    `${step.method} ${step.path} HTTP/1.1`,
    `Host: ${host}`,
    ...defaultHeaders(step).map(([name, value]) => `${name}: ${value}`),
    ...Object.entries(step.headers).map(([name, value]) => `${name}: ${value}`),
    ...(carriesBody(step) ? [`Content-Length: ${body.length}`] : []),
    ...(close ? ['Connection: close'] : []),
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body]);
}

/** Whether a length is announced, be it 0. */
export function carriesBody({ body, method }: Step): boolean {
  return body !== undefined || ['POST', 'PUT', 'PATCH'].includes(method);
}

export function defaultHeaders(step: Step): [string, string][] {
  const given = new Set(Object.keys(step.headers).map((name) => name.toLowerCase()));
  const defaults: [string, string][] = [
    ['Accept', '*/*'],
    ['User-Agent', 'tls-toll'],
  ];
  return defaults.filter(([name]) => !given.has(name.toLowerCase()));
}

/** Host header; the default port of the scheme is left out, as browsers do. */
export function hostOf(listener: Listener): string {
  const name = listener.hostname.includes(':') ? `[${listener.hostname}]` : listener.hostname;
  const implied = isEncrypted(listener.transport) ? 443 : 80;
  return listener.port === implied ? name : `${name}:${listener.port}`;
}
