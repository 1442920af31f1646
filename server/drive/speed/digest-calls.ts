import { createHmac, hash, randomBytes } from 'node:crypto';
import type { Calls } from './calls.ts';

const names: Record<string, string> = {
  MD5: 'md5',
  'SHA-1': 'sha1',
  'SHA-256': 'sha256',
  'SHA-384': 'sha384',
  'SHA-512': 'sha512',
  'SHA3-256': 'sha3-256',
  'BLAKE2b-512': 'blake2b512',
  'BLAKE2s-256': 'blake2s256',
  'RIPEMD-160': 'ripemd160',
  MD2: 'md2',
  MD4: 'md4',
  MDC2: 'mdc2',
};

const keyBytes = 32;

export function digestCalls(primitive: string, bytes: number): Calls | null {
  const authenticates = primitive.startsWith('HMAC-');
  const name = names[primitive.replace('HMAC-', '')];
  if (name === undefined) return null;
  const block = randomBytes(bytes);
  const key = randomBytes(keyBytes);
  return authenticates
    ? { of: { digest: () => createHmac(name, key).update(block).digest() } }
    : { of: { digest: () => hash(name, block, 'buffer') } };
}
