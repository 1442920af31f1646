import type { TlsProfile } from '../../shared/tls-profile.ts';

/**
 * The suites that a client offers, as an option of `createSecureContext`. A key that OpenSSL finds too short needs its
 * lowest level, which is written into the list; a level is no list, so a suite of TLS 1.3 gets one beside it.
 * @param usual Node's own list
 */
export function ciphersFor(
  { cipher, version }: Pick<TlsProfile, 'cipher' | 'version'>,
  weakKey: boolean,
  usual: string,
): { ciphers?: string } {
  if (!weakKey) return cipher === null ? {} : { ciphers: cipher };
  const suites = cipher === null ? usual : version === 'TLSv1.3' ? `${cipher}:DEFAULT` : cipher;
  return { ciphers: `${suites}:@SECLEVEL=0` };
}
