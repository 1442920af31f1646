import { once } from 'node:events';
import { get as getPlain, type IncomingHttpHeaders } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { get as getSecure } from 'node:https';
import { DEFAULT_CIPHERS } from 'node:tls';
import { transportFacts } from '../../../shared/base/transport.ts';
import { answerOf } from '../../base/wire/answer-of.ts';
import type { ListenerPlan } from './managed-server.ts';
import { proxyErrorHeader } from './tls-settings.ts';

const timeoutMs = 2000;
/** Whoever answers: the certificate is looked at in the preflight. */
const trusting = { rejectUnauthorized: false, ciphers: `${DEFAULT_CIPHERS}:@SECLEVEL=0` };

type Tls = typeof trusting & { cert?: string; key?: string };

type Asked = Pick<ListenerPlan, 'transport' | 'address' | 'port'>;
type Answer = { status: number; headers: IncomingHttpHeaders };

/** What a listener answers to one request, on a connection of its own. Rejects when it does not. */
export async function statusOf(listener: Asked, path: string, identity?: string): Promise<number> {
  return (await ask(listener, path, identity)).status;
}

/** Whether it is a proxy that answers by itself, as the application does not. */
export async function isOwnAnswer(listener: Asked, path: string, identity?: string): Promise<boolean> {
  const { headers } = await ask(listener, path, identity);
  return headers[proxyErrorHeader] !== undefined;
}

function ask({ transport, address, port }: Asked, path: string, identity?: string): Promise<Answer> {
  const { encrypted, httpVersion } = transportFacts[transport];
  const place = { host: address, port, path };
  const signal = AbortSignal.timeout(timeoutMs);
  const presented = identity === undefined ? {} : { cert: identity, key: identity };
  const tls = encrypted ? { ...trusting, ...presented } : null;
  return httpVersion === '2' ? overHttp2(place, tls, signal) : overHttp1(place, tls, signal);
}

type Place = { host: string; port: number; path: string };

async function overHttp1(place: Place, tls: Tls | null, signal: AbortSignal): Promise<Answer> {
  const options = { ...place, signal, agent: false as const };
  const request = tls === null ? getPlain(options) : getSecure({ ...options, ...tls });
  try {
    const { statusCode = 0, headers } = await answerOf(request);
    return { status: statusCode, headers };
  } finally {
    request.destroy();
  }
}

async function overHttp2({ host, port, path }: Place, tls: Tls | null, signal: AbortSignal): Promise<Answer> {
  const session = connectHttp2(`${tls === null ? 'http' : 'https'}://${host}:${port}`, tls ?? {});
  try {
    const failed = once(session, 'close', { signal });
    const stream = session.request({ ':path': path });
    stream.resume();
    const [headers] = await Promise.race([once(stream, 'response', { signal }), failed]);
    return { status: Number(headers?.[':status'] ?? 0), headers: headers ?? {} };
  } finally {
    session.destroy();
  }
}
