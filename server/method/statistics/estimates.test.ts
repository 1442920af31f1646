/** Protects what a relay is said to add: the machine's own round trip is taken off, and the spread is of single pings. */
import { expect, test } from 'vitest';
import { addedMs, summariseAdded } from './estimates.ts';

test('the round trip past the relay is taken off each ping through it', () => {
  expect(addedMs([0.1, 0.3, 0.2], [5.2, 6.2])).toEqual([5, 6]);
});

test('without a ping there is nothing to say', () => {
  expect(addedMs([], [])).toEqual([]);
  expect(summariseAdded([])).toBeNull();
});

test('the spread is from the 5th to the 95th percentile', () => {
  const added = Array.from({ length: 101 }, (_, index) => index);
  expect(summariseAdded(added)).toEqual({ pings: 101, median: 50, p5: 5, p95: 95 });
});
