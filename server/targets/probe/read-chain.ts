import type { X509Certificate } from 'node:crypto';
import type { ProbedCertificate } from '../../../shared/target/probe.ts';
import { keyOf } from '../../base/wire/read-negotiated.ts';

/** More than any chain has. */
const mostCertificates = 20;

/** The certificates that a server sent, its own first. */
export function readChain(leaf: X509Certificate | undefined): ProbedCertificate[] {
  const chain: X509Certificate[] = [];
  for (
    let next = leaf;
    next !== undefined && chain.length < mostCertificates;
    next = next.issuerCertificate
  ) {
    // A certificate that signed itself is its own issuer.
    if (chain.some(({ raw }) => next?.raw.equals(raw))) break;
    chain.push(next);
  }
  return chain.map((certificate) => ({
    subject: commonNameIn(certificate.subject),
    issuer: commonNameIn(certificate.issuer),
    key: keyOf(certificate) ?? 'unknown',
    validFrom: dayOf(certificate.validFrom),
    validTo: dayOf(certificate.validTo),
    bytes: certificate.raw.length,
  }));
}

/** The common name, or all there is. */
export function commonNameIn(distinguished: string | undefined): string {
  const lines = (distinguished ?? '').split('\n').filter((line) => line !== '');
  return lines.find((line) => line.startsWith('CN='))?.slice('CN='.length) ?? (lines.join(', ') || 'no name');
}

function dayOf(date: string): string {
  const parsed = new Date(date);
  return Number.isNaN(parsed.getTime()) ? date : parsed.toISOString().slice(0, 10);
}
