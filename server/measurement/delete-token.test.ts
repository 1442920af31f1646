import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { newDeleteToken } from './delete-token.ts';

test('a delete token is random, and its hash is that of the token', () => {
  const first = newDeleteToken('a', null);
  expect(first.token).toMatch(/^[\w-]{32}$/);
  expect(first.hash).toBe(createHash('sha256').update(first.token).digest('hex'));
  expect(newDeleteToken('a', null).token).not.toBe(first.token);
});

test('the same idempotency key gives the same token for the same run only', () => {
  const { token } = newDeleteToken('a', 'key');
  expect(newDeleteToken('a', 'key').token).toBe(token);
  expect(newDeleteToken('b', 'key').token).not.toBe(token);
  expect(newDeleteToken('a', 'other').token).not.toBe(token);
});
