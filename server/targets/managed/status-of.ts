import { DEFAULT_CIPHERS } from 'node:tls';
import { transportFacts } from '../../../shared/base/transport.ts';
import { askOnce, type Reply } from '../../base/wire/ask.ts';
import type { ListenerPlan } from './managed-server.ts';
import { proxyErrorHeader } from './tls-settings.ts';

const timeoutMs = 2000;
/** Whoever answers: the certificate is looked at in the preflight. */
const trusting = { rejectUnauthorized: false, ciphers: `${DEFAULT_CIPHERS}:@SECLEVEL=0`, servername: '' };

type Asked = Pick<ListenerPlan, 'transport' | 'address' | 'port'>;

/** Status of a listener's answer to one request, on a connection of its own. Rejects when there is no answer. */
export async function statusOf(listener: Asked, path: string, identity?: string): Promise<number> {
  return (await ask(listener, path, identity)).status;
}

/** Whether it is a proxy that answers by itself, as the application does not. */
export async function isOwnAnswer(listener: Asked, path: string, identity?: string): Promise<boolean> {
  const { headers } = await ask(listener, path, identity);
  return headers[proxyErrorHeader] !== undefined;
}

function ask({ transport, address, port }: Asked, path: string, identity?: string): Promise<Reply> {
  const { encrypted, httpVersion, alpn } = transportFacts[transport];
  const presented = identity === undefined ? {} : { cert: identity, key: identity };
  const tls = encrypted ? { ...trusting, ALPNProtocols: [alpn], ...presented } : null;
  return askOnce({ address, port, tls, version: httpVersion }, { path }, { limitMs: timeoutMs });
}
