/**
 * Names for the options of a handshake, one for each in this product. Cipher suites have OpenSSL's name (IANA's for TLS 1.3),
 * from which `describeSuite` reads what each goes with.
 */

export const tlsVersions = ['TLSv1.3', 'TLSv1.2', 'TLSv1.1', 'TLSv1'] as const;
export type TlsVersion = (typeof tlsVersions)[number];

/** Keys that a server certificate is signed with and signs with. */
export const keyNames = [
  'RSA-512',
  'RSA-1024',
  'RSA-2048',
  'RSA-3072',
  'RSA-4096',
  'P-256',
  'P-384',
  'Ed25519',
  'ML-DSA-44',
  'ML-DSA-65',
  'ML-DSA-87',
] as const;
export type KeyName = (typeof keyNames)[number];

/** Groups in which keys are agreed: elliptic curves, finite fields, encapsulation, and hybrids of the first and last. */
export const groupNames = [
  'X25519',
  'P-256',
  'P-384',
  'P-521',
  'X448',
  'ffdhe2048',
  'ffdhe3072',
  'X25519MLKEM768',
  'SecP256r1MLKEM768',
  'SecP384r1MLKEM1024',
  'MLKEM512',
  'MLKEM768',
  'MLKEM1024',
] as const;
export type GroupName = (typeof groupNames)[number];

/** Too weak for any use but comparison with old figures: behind the explicit switch `legacy`. */
export const legacyVersions: readonly TlsVersion[] = ['TLSv1.1', 'TLSv1'];
export const legacyKeys: readonly KeyName[] = ['RSA-512', 'RSA-1024'];

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
