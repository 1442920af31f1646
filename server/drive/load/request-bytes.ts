import type { Scenario } from '../../../shared/scenario/scenario.ts';
import type { Listener } from '../../../shared/target/target.ts';
import { hostOf } from '../../base/addresses/origin.ts';
import { literalRequest } from '../../intake/scenario/literal-request.ts';
import type { RenderedStep } from '../../intake/scenario/user-script.ts';

/** A step as it goes over the wire, assembled once so that sending it costs one write. */
export type WireRequest = { bytes: Buffer; bodyless: boolean };

/** @param close whether every request asks the server to close the connection */
export function assembleRequests(scenario: Scenario, listener: Listener, close: boolean): WireRequest[] {
  return scenario.steps.map((step) => ({
    bytes: assembleRequest(literalRequest(step), hostOf(listener), close),
    bodyless: step.method === 'HEAD',
  }));
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
