import type { NegotiatedTls } from '../../../../shared/base/tls-profile.ts';
import type { AbFigures } from '../../../../shared/kinds/servers/ab-figures.ts';

/** The TLS lines of `ab`. Bits that are not known are 0. */
export function abTlsOf(negotiated: NegotiatedTls, hostname: string): NonNullable<AbFigures['tls']> {
  const { protocol, cipher, group, key } = negotiated;
  return {
    protocol: [protocol, cipher, keyBits(key ?? ''), cipherBits(cipher)].join(','),
    temporaryKey: temporaryKeys[group ?? ''] ?? null,
    serverName: /^[\d.]+$|:/.test(hostname) ? null : hostname,
  };
}

/** Of `RSA 2048`, `EC P-256`. */
function keyBits(key: string): number {
  return Number(key.split(/\D+/).at(-1));
}

/** Of `TLS_AES_128_GCM_SHA256`, `ECDHE-RSA-AES128-GCM-SHA256`. */
function cipherBits(cipher: string): number {
  if (cipher.includes('CHACHA20')) return 256;
  return Number(/(?:AES|ARIA|CAMELLIA)_?(\d{3})/.exec(cipher)?.[1] ?? 0);
}

const temporaryKeys: Record<string, string> = {
  X25519: 'X25519 253 bits',
  X448: 'X448 448 bits',
  ...ecdh('prime256v1', 'P-256', 256),
  ...ecdh('secp384r1', 'P-384', 384),
  ...ecdh('secp521r1', 'P-521', 521),
};

/** Under both names of a curve. */
function ecdh(name: string, other: string, bits: number): Record<string, string> {
  const line = `ECDH ${name} ${bits} bits`;
  return { [name]: line, [other]: line };
}
