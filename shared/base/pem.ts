import type { z } from 'zod';

/** PEM texts (RFC 7468): labeled blocks of Base64, with anything else that a program wrote into the same file. */

const certificate = /-----BEGIN CERTIFICATE-----([\w+/=\s]+?)-----END CERTIFICATE-----/g;

/** The certificates, in lines of 64 characters, without keys, parameters, and notes. */
export function certificatesIn(pem: string): string[] {
  return [...pem.matchAll(certificate)]
    .map(([, body = '']) => body.replace(/\s/g, ''))
    .filter(isCertificate)
    .map(
      (body) =>
        `-----BEGIN CERTIFICATE-----\n${body.replace(/.{64}(?=.)/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
    );
}

/** Whether this is the DER of exactly one certificate (RFC 5280, section 4.1). A key under that label starts differently. */
function isCertificate(base64: string): boolean {
  const der = decoded(base64);
  const whole = sequenceAt(der, 0);
  const signed = sequenceAt(der, whole.start);
  const begins = der.charAt(signed.start);
  return whole.end === der.length && signed.end < whole.end && (begins === version || begins === serial);
}

/** Tags of the first fields of a certificate. One of version 1 omits its version. */
const version = '\xa0';
const serial = '\x02';

function decoded(base64: string): string {
  try {
    return atob(base64);
  } catch {
    return '';
  }
}

/** Start and end of a sequence's content (X.690, sections 8.1.3 and 8.9); beyond the end of the text if there is no sequence. */
function sequenceAt(der: string, at: number): { start: number; end: number } {
  const first = der.charCodeAt(at + 1);
  const start = at + 2 + (first > 0x80 ? first - 0x80 : 0);
  const long = [...der.slice(at + 2, start)].reduce((sum, byte) => sum * 256 + byte.charCodeAt(0), 0);
  const isSequence = der[at] === '0' && start < der.length;
  return { start, end: isSequence ? start + (first > 0x80 ? long : first) : Number.POSITIVE_INFINITY };
}

const begin = '-----BEGIN [\\w ]*PRIVATE KEY( BLOCK)?-----';
const end = begin.replace('BEGIN', 'END');

/** The whole private keys. */
export function privateKeysIn(pem: string): string[] {
  return pem.match(new RegExp(`${begin}[^"]+?${end}`, 'g')) ?? [];
}

/**
 * The text without its private keys, in capitals or in the lowercase that a search uses. A truncated key is removed up to the next
 * block. JSON stays valid, because a key ends at a quotation mark.
 */
export function withoutPrivateKeys(text: string): string {
  return text.replace(new RegExp(`${begin}[^"]*?(${end}|(?=-----BEGIN|\\\\*"|$))`, 'gi'), '');
}

/** Whether the text contains a private key: plain, form-encoded, URL-encoded, or as Base64 in any of its three alignments. */
export function holdsPrivateKey(text: string): boolean {
  return /PRIVATE( |\+|%20)KEY|UFJJVkFURSBLRV|BSSVZBVEUgS0VZ|QUklWQVRFIEtFW/.test(text);
}

/**
 * Refuses a private key in any text of a value to be stored, and names its field. In a certificate field, the schema has already
 * removed the key. The `secrets` of a request are never stored.
 */
export function refusePrivateKeys(value: object, context: z.RefinementCtx): void {
  const stored = { ...value, secrets: null };
  for (const path of pathsOfKeys(stored)) {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: scenario syntax for a secret
    const instead = path.includes('steps') ? ', or write ${secret:name} in its place' : '';
    const message = `anyone with the link could read this private key; leave it out${instead}`;
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
