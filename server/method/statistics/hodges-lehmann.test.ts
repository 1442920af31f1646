/** Protects the Hodges-Lehmann estimate. */
import { expect, test } from 'vitest';
import { hodgesLehmann, walshAverages } from './hodges-lehmann.ts';

test('Walsh averages are the means of every pair, each value with itself included', () => {
  expect([...walshAverages([1, 2, 6])]).toEqual([1, 1.5, 2, 3.5, 4, 6]);
});

test('the estimate is the median of the Walsh averages, and one wild block hardly moves it', () => {
  expect(hodgesLehmann([1, 2, 6])).toBe(2.75);
  const quiet = hodgesLehmann([1, 2, 3, 4, 5, 6, 7]);
  expect(quiet).toBe(4);
  expect(hodgesLehmann([1, 2, 3, 4, 5, 6, 7000])).toBeLessThan(5.1);
});

test('turning the differences round turns the estimate round', () => {
  expect(hodgesLehmann([-1, -2, -6])).toBe(-2.75);
});
