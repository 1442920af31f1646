/** Protects how far an interval goes from no difference. */
import { expect, test } from 'vitest';
import { reachOf } from './reach-of.ts';

test('no interval reaches nowhere', () => {
  expect(reachOf(null, 1)).toBe(0);
  expect(reachOf({ lo: -3, hi: 2 }, 0)).toBe(3);
});
