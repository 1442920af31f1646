import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A secret that is shown to whoever made a measurement, and kept as a hash. */
export function newDeleteToken(): { token: string; hash: string } {
  const token = randomBytes(24).toString('base64url');
  return { token, hash: createHash('sha256').update(token).digest('hex') };
}

/** Both sides are hashes of one length, compared in constant time. */
export function isDeleteToken(token: string, storedHash: string): boolean {
  const hash = createHash('sha256').update(token).digest();
  const stored = Buffer.from(storedHash, 'hex');
  return stored.length === hash.length && timingSafeEqual(stored, hash);
}
