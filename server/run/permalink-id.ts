import { createHash, createHmac, randomBytes } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** 128 random bits as 22 base62 characters. */
export function newPermalinkId(): string {
  let value = BigInt(`0x${randomBytes(16).toString('hex')}`);
  let text = '';
  for (let i = 0; i < 22; i++) {
    text = alphabet[Number(value % 62n)] + text;
    value /= 62n;
  }
  return text;
}

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
