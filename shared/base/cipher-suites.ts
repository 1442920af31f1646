import { type TlsVersion, tlsVersions } from '../kinds/handshakes/handshake-names.ts';

/**
 * Every suite that OpenSSL 3.5 can agree on with a certificate alone, and the four of 1997 that it has given up, so that
 * its own words stand beside them. Left out: suites that need a secret shared beforehand (PSK, SRP), that show no
 * certificate (ADH, AECDH), or whose keys no library makes any more (DSS).
 */
export const suiteNames: readonly string[] = [
  ...['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256'],
  ...['TLS_AES_128_CCM_SHA256', 'TLS_AES_128_CCM_8_SHA256', 'TLS_SHA256_SHA256', 'TLS_SHA384_SHA384'],
  ...named('ECDHE-ECDSA', [
    ...['AES128-GCM-SHA256', 'AES256-GCM-SHA384', 'CHACHA20-POLY1305', 'AES128-CCM', 'AES256-CCM'],
    ...['AES128-CCM8', 'AES256-CCM8', 'ARIA128-GCM-SHA256', 'ARIA256-GCM-SHA384', 'AES128-SHA256'],
    ...['AES256-SHA384', 'CAMELLIA128-SHA256', 'CAMELLIA256-SHA384', 'AES128-SHA', 'AES256-SHA', 'NULL-SHA'],
  ]),
  ...named('ECDHE-RSA', [
    ...['AES128-GCM-SHA256', 'AES256-GCM-SHA384', 'CHACHA20-POLY1305', 'AES128-SHA256', 'AES256-SHA384'],
    ...['CAMELLIA128-SHA256', 'CAMELLIA256-SHA384', 'AES128-SHA', 'AES256-SHA', 'NULL-SHA'],
  ]),
  ...['ECDHE-ARIA128-GCM-SHA256', 'ECDHE-ARIA256-GCM-SHA384'],
  ...named('DHE-RSA', [
    ...['AES128-GCM-SHA256', 'AES256-GCM-SHA384', 'CHACHA20-POLY1305', 'AES128-CCM', 'AES256-CCM'],
    ...['AES128-CCM8', 'AES256-CCM8', 'ARIA128-GCM-SHA256', 'ARIA256-GCM-SHA384', 'AES128-SHA256'],
    ...['AES256-SHA256', 'CAMELLIA128-SHA256', 'CAMELLIA256-SHA256', 'AES128-SHA', 'AES256-SHA'],
    ...['CAMELLIA128-SHA', 'CAMELLIA256-SHA'],
  ]),
  ...['AES128-GCM-SHA256', 'AES256-GCM-SHA384', 'AES128-CCM', 'AES256-CCM', 'AES128-CCM8', 'AES256-CCM8'],
  ...['ARIA128-GCM-SHA256', 'ARIA256-GCM-SHA384', 'AES128-SHA256', 'AES256-SHA256'],
  ...['CAMELLIA128-SHA256', 'CAMELLIA256-SHA256', 'AES128-SHA', 'AES256-SHA'],
  ...['CAMELLIA128-SHA', 'CAMELLIA256-SHA', 'NULL-SHA256', 'NULL-SHA', 'NULL-MD5'],
  ...['RC4-MD5', 'RC4-SHA', 'DES-CBC-SHA', 'DES-CBC3-SHA'],
];

export type Suite = {
  name: string;
  versions: readonly TlsVersion[];
  /** How keys are agreed; `any` in TLS 1.3, where suites do not say. */
  exchange: 'any' | 'ECDHE' | 'DHE' | 'RSA';
  /** The kind of key that the server signs with, or that secrets are encrypted to. */
  authentication: 'any' | 'RSA' | 'ECDSA';
  /** Only kept for comparison with old figures. */
  broken: boolean;
};

/** All that matters of a suite is in its name. */
export function describeSuite(name: string): Suite {
  const isThirteen = name.startsWith('TLS_');
  const exchange = /^(ECDHE|DHE)-/.exec(name)?.[1] as 'ECDHE' | 'DHE' | undefined;
  // Authenticated encryption and the longer hashes came with TLS 1.2.
  const isTwelve = /GCM|CCM|POLY1305|SHA256$|SHA384$/.test(name);
  return {
    name,
    versions: isThirteen ? ['TLSv1.3'] : isTwelve ? ['TLSv1.2'] : tlsVersions.slice(1),
    exchange: isThirteen ? 'any' : (exchange ?? 'RSA'),
    authentication: isThirteen ? 'any' : name.includes('ECDSA') ? 'ECDSA' : 'RSA',
    broken: /RC4|DES-|MD5|NULL-SHA$/.test(name),
  };
}

function named(prefix: string, ciphers: readonly string[]): string[] {
  return ciphers.map((cipher) => `${prefix}-${cipher}`);
}
