/** `TLS 1.3` of `TLSv1.3`. */
export function printTlsVersion(protocol: string): string {
  return protocol.replace(/^TLSv1$/, 'TLSv1.0').replace(/^TLSv/, 'TLS ');
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
