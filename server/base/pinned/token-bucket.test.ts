/** Protects the target from questions: no more a second than the agent allows, however they come. */
import { expect, test } from 'vitest';
import { TokenBucket } from './token-bucket.ts';

test('as many at once as a second holds, then one whenever its part of a second has passed', () => {
  const bucket = new TokenBucket(4, 1000);
  expect(Array.from({ length: 6 }, () => bucket.take(1000))).toEqual([true, true, true, true, false, false]);
  expect(bucket.take(1249)).toBe(false);
  expect(bucket.take(1250)).toBe(true);
  expect(bucket.take(1251)).toBe(false);
});

test('nothing is saved up beyond a second', () => {
  const bucket = new TokenBucket(2, 0);
  expect(Array.from({ length: 4 }, () => bucket.take(60_000))).toEqual([true, true, false, false]);
});
