/** Protects permalinks from being guessed: 128 random bits, always as long. */
import { expect, test } from 'vitest';
import { permalinkIdSchema } from '../../../../shared/base/units.ts';
import { newPermalinkId } from './permalink-id.ts';

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
