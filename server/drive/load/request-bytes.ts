import { defaultPorts, schemeOf } from '../../../shared/base/transport.ts';
import type { Scenario } from '../../../shared/scenario/scenario.ts';
import type { Listener } from '../../../shared/target/target.ts';
import { literalRequest } from '../../intake/scenario/literal-request.ts';
import type { RenderedStep } from '../../intake/scenario/user-script.ts';

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
      bytes: assembleRequest(literalRequest(step), hostOf(listener), closeEach || (closeLast && last)),
      expectStatus: step.expectStatus,
      bodyless: step.method === 'HEAD',
    };
  });
}

/** @param close whether it asks the server to close the connection */
export function assembleRequest(request: RenderedStep, host: string, close: boolean): Buffer {
  const { method, path, headers, body } = request;
  let head = `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\n`;
  for (const [name, value] of headers) head += `${name}: ${value}\r\n`;
  if (body !== null) head += `Content-Length: ${body.length}\r\n`;
  head += close ? 'Connection: close\r\n\r\n' : '\r\n';
  const headBytes = Buffer.from(head, 'latin1');
  return body === null ? headBytes : Buffer.concat([headBytes, body]);
}

/** Host header; the default port of the scheme is left out, as browsers do. */
export function hostOf(listener: Listener): string {
  const name = listener.hostname.includes(':') ? `[${listener.hostname}]` : listener.hostname;
  return listener.port === defaultPorts[schemeOf(listener.transport)] ? name : `${name}:${listener.port}`;
}
