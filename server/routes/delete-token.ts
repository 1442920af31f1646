import { createHash, timingSafeEqual } from 'node:crypto';

/** Whether a token is that of a stored hash. Both sides are hashes of one length, compared in constant time. */
export function isDeleteToken(token: string, storedHash: string): boolean {
  const hash = createHash('sha256').update(token).digest();
  const stored = Buffer.from(storedHash, 'hex');
  return stored.length === hash.length && timingSafeEqual(stored, hash);
}
