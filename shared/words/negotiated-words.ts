import { printQuantity, scaleFor } from '../base/quantity.ts';
import type { NegotiatedTls } from '../base/tls-profile.ts';
import type { BySide } from '../base/transport.ts';
import type { FairnessSide } from '../kinds/comparison/run.ts';
import type { Scenario } from '../scenario/scenario.ts';

/** TLS as people write it, where results stand side by side. */

/** Of a side; null without TLS, and before anything was negotiated. */
type Negotiated = Pick<NegotiatedTls, 'protocol' | 'cipher'> | null;

/** `TLS 1.3` of `TLSv1.3`. */
export function printTlsVersion(protocol: string): string {
  return protocol.replace(/^TLSv1$/, 'TLSv1.0').replace(/^TLSv/, 'TLS ');
}

/**
 * `TLS 1.3, AES-256-GCM`: version and cipher of what was negotiated, from the baseline to the comparison where they differ, as in
 * `TLS 1.2 → TLS 1.3, AES-256-GCM`. Null where there was no TLS, or none yet.
 */
export function negotiatedWords({ baseline, comparison }: BySide<Negotiated>): string | null {
  const [from, to] = [baseline ?? comparison, comparison ?? baseline];
  if (from === null || to === null) return null;
  return [
    joinValues(printTlsVersion(from.protocol), printTlsVersion(to.protocol)),
    joinValues(printCipher(from.cipher), printCipher(to.cipher)),
  ].join(', ');
}

type Body = Pick<FairnessSide, 'contentEncoding' | 'bodyBytesPerTransaction'>;

/** `gzip, 21 kB`: the coding and the size of a transaction's bodies, as they came. */
export function bodyWords({ contentEncoding, bodyBytesPerTransaction: bytes }: Body): string {
  const coding = contentEncoding === '' ? 'not compressed' : contentEncoding;
  return bytes === null ? coding : `${coding}, ${printQuantity(bytes, scaleFor('bytes', [bytes]))}`;
}

/** Steps whose bodies the load generator decodes, in words; null where it decodes none. */
export function decodedWords({ contentEncoding }: Body, { steps }: Pick<Scenario, 'steps'>): string | null {
  const sent = steps.filter(({ enabled }) => enabled);
  const read = sent.filter(
    ({ checks, extract }) => checks.length > 0 || extract.some(({ from }) => from !== 'header'),
  );
  if (contentEncoding === '' || contentEncoding === 'unknown' || read.length === 0) return null;
  return `${read.length} of ${sent.length} ${sent.length === 1 ? 'step' : 'steps'}, to check or extract: client CPU`;
}

/** `X25519 → X25519MLKEM768`; once what both have. */
export function joinValues(baseline: string, comparison: string): string {
  return baseline === comparison ? comparison : `${baseline} → ${comparison}`;
}

/** `AES-256-GCM` of `TLS_AES_256_GCM_SHA384` and of `TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384`, which are IANA's names. */
export function printCipher(suite: string): string {
  return suite
    .replace(/^TLS_(?:\w+_WITH_)?/, '')
    .replace(/_(?:SHA\d*|MD5)$/, '')
    .replaceAll('_', '-')
    .replace('CHACHA20-POLY1305', 'ChaCha20-Poly1305');
}
