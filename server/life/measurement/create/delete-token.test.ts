/** Protects measurements from being deleted by whoever was not given their token. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { isDeleteToken, newDeleteToken } from './delete-token.ts';

test('a delete token is random, and its hash is that of the token', () => {
  const first = newDeleteToken();
  expect(first.token).toMatch(/^[\w-]{32}$/);
  expect(first.hash).toBe(createHash('sha256').update(first.token).digest('hex'));
  expect(newDeleteToken().token).not.toBe(first.token);
});

test('only the token itself is right', () => {
  const { token, hash } = newDeleteToken();
  expect(isDeleteToken(token, hash)).toBe(true);
  for (const other of [newDeleteToken().token, `${token} `, token.slice(1), hash, '']) {
    expect(isDeleteToken(other, hash)).toBe(false);
  }
  expect(isDeleteToken(token, 'no hash')).toBe(false);
});
