import type { CellSettings } from './servers-result.ts';

const thirteen = {
  'AES-128-GCM': 'TLS_AES_128_GCM_SHA256',
  'AES-256-GCM': 'TLS_AES_256_GCM_SHA384',
  'CHACHA20-POLY1305': 'TLS_CHACHA20_POLY1305_SHA256',
};

const twelve = {
  'AES-128-GCM': 'AES128-GCM-SHA256',
  'AES-256-GCM': 'AES256-GCM-SHA384',
  'CHACHA20-POLY1305': 'CHACHA20-POLY1305',
};

/** The suite that a cell’s client offers, in OpenSSL’s name; null for the library’s choice. */
export function cellSuite({
  protocol,
  cipher,
  key,
}: Pick<CellSettings, 'protocol' | 'cipher' | 'key'>): string | null {
  if (cipher === null) return null;
  if (protocol === 'TLSv1.3') return thirteen[cipher];
  return `ECDHE-${key.startsWith('P-') ? 'ECDSA' : 'RSA'}-${twelve[cipher]}`;
}
