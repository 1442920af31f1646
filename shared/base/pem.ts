import type { z } from 'zod';

/** PEM texts (RFC 7468): blocks of Base64 under their labels, among whatever else a program wrote into the same file. */

const certificate = /-----BEGIN CERTIFICATE-----([\w+/=\s]+?)-----END CERTIFICATE-----/g;

/** Each of its certificates, in lines of 64 characters. Keys, parameters, and notes beside them are left out. */
export function certificatesIn(pem: string): string[] {
  return [...pem.matchAll(certificate)]
    .map(([, body = '']) => body.replace(/\s/g, ''))
    .filter(isCertificate)
    .map(
      (body) =>
        `-----BEGIN CERTIFICATE-----\n${body.replace(/.{64}(?=.)/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
    );
}

/** Whether it is the DER of one certificate (RFC 5280, section 4.1) and of nothing more: a key under that label begins otherwise. */
function isCertificate(base64: string): boolean {
  const der = decoded(base64);
  const whole = sequenceAt(der, 0);
  const signed = sequenceAt(der, whole.start);
  const begins = der.charAt(signed.start);
  return whole.end === der.length && signed.end < whole.end && (begins === version || begins === serial);
}

/** Tags of what a certificate begins with; one of version 1 does not say its version. */
const version = '\xa0';
const serial = '\x02';

function decoded(base64: string): string {
  try {
    return atob(base64);
  } catch {
    return '';
  }
}

/** Where the content of a sequence starts and ends (X.690, sections 8.1.3 and 8.9); beyond the end of the text where there is none. */
function sequenceAt(der: string, at: number): { start: number; end: number } {
  const first = der.charCodeAt(at + 1);
  const start = at + 2 + (first > 0x80 ? first - 0x80 : 0);
  const long = [...der.slice(at + 2, start)].reduce((sum, byte) => sum * 256 + byte.charCodeAt(0), 0);
  const isSequence = der[at] === '0' && start < der.length;
  return { start, end: isSequence ? start + (first > 0x80 ? long : first) : Number.POSITIVE_INFINITY };
}

const begin = '-----BEGIN [\\w ]*PRIVATE KEY( BLOCK)?-----';
const end = begin.replace('BEGIN', 'END');

/** Each of its private keys, whole. */
export function privateKeysIn(pem: string): string[] {
  return pem.match(new RegExp(`${begin}[^"]+?${end}`, 'g')) ?? [];
}

/**
 * The text without its private keys, in capitals or in the small letters that a search looks through. A key that is cut off is gone
 * up to the next block. JSON stays JSON: no key goes on over a quotation mark.
 */
export function withoutPrivateKeys(text: string): string {
  return text.replace(new RegExp(`${begin}[^"]*?(${end}|(?=-----BEGIN|\\\\*"|$))`, 'gi'), '');
}

/** Whether a private key is in it: as it is, in a form or an address, or as Base64, which has three ways to write the same letters. */
export function holdsPrivateKey(text: string): boolean {
  return /PRIVATE( |\+|%20)KEY|UFJJVkFURSBLRV|BSSVZBVEUgS0VZ|QUklWQVRFIEtFW/.test(text);
}

/**
 * Refuses a private key in any text of a value that is to be stored, and names its field. Where a certificate is asked for, its
 * schema has cut the key out before. The `secrets` beside a request are never stored.
 */
export function refusePrivateKeys(value: object, context: z.RefinementCtx): void {
  const stored = { ...value, secrets: null };
  for (const path of pathsOfKeys(stored)) {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is how a scenario writes a secret
    const instead = path.includes('steps') ? ', or write ${secret:name} in its place' : '';
    const message = `a private key would be open to everybody with the link; leave it out${instead}`;
    context.addIssue({ code: 'custom', path, message });
  }
}

function pathsOfKeys(value: unknown): (string | number)[][] {
  if (typeof value === 'string') return holdsPrivateKey(value) ? [[]] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    pathsOfKeys(inner).map((path) => [Array.isArray(value) ? Number(name) : name, ...path]),
  );
}
