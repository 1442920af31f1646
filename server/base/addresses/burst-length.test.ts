/** Protects how long a burst is: four transactions of each user, within its limits. */
import { expect, test } from 'vitest';
import { burstLength } from './burst-length.ts';

test.each([
  [20_000, 20],
  [160, 200],
  [4, 500],
  [0, 500],
])('of 8 users with %d transactions/s it is %d ms', (perS, ms) => {
  expect(burstLength({ users: 8, perS }, 20, 500)).toBe(ms);
});
