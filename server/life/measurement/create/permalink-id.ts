import { randomBytes } from 'node:crypto';

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
