import { createHash } from 'node:crypto';
import type { PreflightSide } from '../../../shared/preflight.ts';
import type { Step } from '../../../shared/scenario.ts';
import { isEncrypted, isHttp2 } from '../../../shared/transport.ts';
import type { Dialer } from './dialer.ts';
import { explainExchange } from './explain-exchange.ts';
import { Http1Visitor } from './http1-visitor.ts';
import { Http2Visitor } from './http2-visitor.ts';
import type { Inspection } from './inspect-side.ts';
import { Obstacle } from './obstacle.ts';
import { endpointOf, hostOf } from './origin.ts';
import type { Incoming, Visitor } from './visitor.ts';

/** A step's response, and what is needed besides to judge it. */
export type Answer = {
  step: Step;
  response: PreflightSide['responses'][number];
  secureCookies: string[];
  /** The server closes the connection after this response. */
  closes: boolean;
};

/** One transaction: the steps in order, with the connections that the policy gives it and the generator's headers. */
export async function* walkTransaction(dialer: Dialer, inspection: Inspection): AsyncGenerator<Answer> {
  const keepAlive = inspection.connectionPolicy !== 'connection-per-request';
  const visitor = isHttp2(dialer.listener.transport)
    ? new Http2Visitor(dialer, keepAlive)
    : new Http1Visitor(dialer, keepAlive);
  try {
    for (const step of inspection.scenario.steps) yield await send(step, visitor, dialer);
  } finally {
    visitor.leave();
  }
}

async function send(step: Step, visitor: Visitor, dialer: Dialer): Promise<Answer> {
  const patience = AbortSignal.any([dialer.signal, AbortSignal.timeout(dialer.timeoutMs)]);
  try {
    const { method, path, body } = step;
    const headers = headersOf(step, hostOf(dialer.listener));
    const answer = await readAnswer(step, await visitor.ask({ method, path, headers, body }, patience));
    if (answer.response.status === 400 && (await isTlsInDisguise(dialer))) throw swapped(dialer);
    return answer;
  } catch (error) {
    if (error instanceof Obstacle) throw error;
    if (!patience.aborted && (await isTlsInDisguise(dialer))) throw swapped(dialer);
    throw explainExchange(error, step, dialer, patience.aborted);
  }
}

/** The same as the load generator sends. */
function headersOf(step: Step, host: string): Record<string, string> {
  const given = Object.fromEntries(
    Object.entries(step.headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const hasBody = step.body !== undefined || ['POST', 'PUT', 'PATCH'].includes(step.method);
  const length = hasBody ? { 'content-length': String(Buffer.byteLength(step.body ?? '')) } : {};
  return { host, accept: '*/*', 'user-agent': 'tls-toll', ...given, ...length };
}

async function readAnswer(step: Step, incoming: Incoming): Promise<Answer> {
  const hash = createHash('sha256');
  let bodyBytes = 0;
  for await (const chunk of incoming.body) {
    hash.update(chunk);
    bodyBytes += chunk.length;
  }
  const { headers } = incoming;
  const cookies = headers['set-cookie'] ?? [];
  return {
    step,
    response: {
      step: step.name,
      status: incoming.status,
      httpVersion: incoming.httpVersion,
      contentEncoding: encodingOf(headers['content-encoding']),
      contentType: headers['content-type'] ?? '',
      bodyBytes,
      bodySha256: hash.digest('hex'),
      location: headers.location ?? null,
      setsCookies: cookies.map(cookieName),
      serverTiming: headers['server-timing'] !== undefined,
    },
    secureCookies: cookies.filter((cookie) => /;\s*secure\s*(;|$)/i.test(cookie)).map(cookieName),
    closes: incoming.closes(),
  };
}

function encodingOf(header: string | undefined): string {
  return header === undefined || header === 'identity' ? '' : header;
}

function cookieName(cookie: string): string {
  return cookie.slice(0, cookie.indexOf('=')).trim();
}

/** A TLS server hangs up on plain HTTP, or answers 400 to it. */
async function isTlsInDisguise(dialer: Dialer): Promise<boolean> {
  return !isEncrypted(dialer.listener.transport) && (await dialer.speaksTls().catch(() => false));
}

function swapped(dialer: Dialer): Obstacle {
  const endpoint = endpointOf(dialer.listener);
  return new Obstacle('tls', `${endpoint} speaks TLS, not plain HTTP: are the ports swapped?`);
}
