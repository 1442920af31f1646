import type { NegotiatedTls } from '../base/tls-profile.ts';

/** TLS as people write it, where results stand side by side. */

/** `TLS 1.3` of `TLSv1.3`. */
export function printTlsVersion(protocol: string): string {
  return protocol.replace(/^TLSv1$/, 'TLSv1.0').replace(/^TLSv/, 'TLS ');
}

/** `TLS 1.3, AES-256-GCM`: version and cipher of what was negotiated. Null where there was no TLS, or none yet. */
export function negotiatedWords({
  protocol,
  cipher,
}: {
  [Part in 'protocol' | 'cipher']: NegotiatedTls[Part] | null;
}): string | null {
  if (protocol === null) return null;
  return [printTlsVersion(protocol), ...(cipher === null ? [] : [printCipher(cipher)])].join(', ');
}

/** `AES-256-GCM` of `TLS_AES_256_GCM_SHA384` and of `TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384`, which are IANA's names. */
export function printCipher(suite: string): string {
  return suite
    .replace(/^TLS_(?:\w+_WITH_)?/, '')
    .replace(/_(?:SHA\d*|MD5)$/, '')
    .replaceAll('_', '-')
    .replace('CHACHA20-POLY1305', 'ChaCha20-Poly1305');
}
