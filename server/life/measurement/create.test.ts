/** Protects permalinks from being guessed: 128 random bits, always as long. */

import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { permalinkIdSchema } from '../../../shared/base/units.ts';
import { isDeleteToken, newDeleteToken, newPermalinkId } from './tokens.ts';

test('an id is always 22 letters and digits, however small its number, and never comes twice', () => {
  const ids = Array.from({ length: 5000 }, newPermalinkId);
  for (const id of ids) expect(id).toMatch(/^[0-9A-Za-z]{22}$/);
  expect(new Set(ids).size).toBe(ids.length);
  expect(permalinkIdSchema.safeParse(ids[0]).success).toBe(true);
});

test('an id holds 128 bits: its first character is below 62²² / 2¹²⁸, all others are any', () => {
  const ids = Array.from({ length: 5000 }, newPermalinkId);
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  // 2¹²⁸ / 62²¹ is 7.7.
  expect(new Set(ids.map((id) => id[0]))).toEqual(new Set(alphabet.slice(0, 8)));
  for (const place of [1, 10, 21]) expect(new Set(ids.map((id) => id[place])).size).toBe(62);
});

/** Protects measurements from being deleted by whoever was not given their token. */

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
