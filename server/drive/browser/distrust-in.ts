import type { Exchange } from '../../intake/traffic/page-exchange.ts';

/**
 * The first response of a https origin that came without a trusted certificate, in sentences; null for none. Chromium keeps no such
 * response in its cache, however the error was passed over: every warm visit would fetch everything again, and look like a price of https.
 */
export function distrustIn(exchanges: readonly Exchange[], origin: string): string | null {
  if (!origin.startsWith('https:')) return null;
  const doubtful = exchanges.find(
    ({ url, status, securityState }) =>
      url.startsWith(`${origin}/`) && status > 0 && securityState !== 'secure',
  );
  if (doubtful === undefined) return null;
  return `Chromium took ${doubtful.url} without trusting its certificate (security state “${doubtful.securityState}”). It does not cache such responses, which would look like a cost of HTTPS. Give the certificate of the authority that signed it, or the certificate itself if it is self-signed.`;
}
