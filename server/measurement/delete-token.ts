import { createHash, createHmac, randomBytes } from 'node:crypto';

/**
 * A secret that is shown once and kept as a hash only. With an idempotency key it is derived from that key, which only
 * the creator knows, so that the repeated request gets the same token.
 */
export function newDeleteToken(id: string, idempotencyKey: string | null): { token: string; hash: string } {
  const token =
    idempotencyKey === null
      ? randomBytes(24).toString('base64url')
      : createHmac('sha256', idempotencyKey).update(id).digest('base64url');
  return { token, hash: createHash('sha256').update(token).digest('hex') };
}
