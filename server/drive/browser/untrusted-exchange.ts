import type { Exchange } from '../../intake/traffic/page-exchange.ts';

/** The first response of a https origin that came without a trusted certificate. Chromium caches no such response. */
export function untrustedExchange(exchanges: readonly Exchange[], origin: string): Exchange | undefined {
  if (!origin.startsWith('https:')) return undefined;
  return exchanges.find(
    ({ url, status, securityState }) =>
      url.startsWith(`${origin}/`) && status > 0 && securityState !== 'secure',
  );
}
