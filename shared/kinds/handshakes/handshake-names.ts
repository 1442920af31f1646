/**
 * What handshakes can be asked for, by the one name that this product has for each. Cipher suites have OpenSSL's name
 * (IANA's for TLS 1.3); `shared/base/cipher-suites.ts` knows what each goes with.
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
