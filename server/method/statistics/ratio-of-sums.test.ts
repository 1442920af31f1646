/** Protects the ratio of sums and its jackknife error, by numbers worked out by hand. */
import { expect, test } from 'vitest';
import { ratioOfSums } from './ratio-of-sums.ts';

const parts = (...sums: number[]) => sums.map((sum) => ({ sum, count: 10 }));

test('sums are divided, not ratios averaged', () => {
  const ratio = ratioOfSums(parts(100, 100, 400), parts(100, 100, 200));
  expect(ratio?.log).toBeCloseTo(Math.log(600 / 400), 12);
});

test('the error is that of the logarithms with each window left out: log 500/300, 500/300 and 200/200', () => {
  const without = [Math.log(5 / 3), Math.log(5 / 3), 0];
  const mean = (2 * Math.log(5 / 3)) / 3;
  const expected = Math.sqrt((2 / 3) * without.reduce((sum, log) => sum + (log - mean) ** 2, 0));
  expect(ratioOfSums(parts(100, 100, 400), parts(100, 100, 200))?.error).toBeCloseTo(expected, 12);
});

test('what both arms share in a window cancels', () => {
  expect(ratioOfSums(parts(120, 240, 60), parts(100, 200, 50))?.error).toBeCloseTo(0, 12);
});

test('two windows have no error, and a total of nothing no ratio', () => {
  expect(ratioOfSums(parts(120, 130), parts(100, 100))?.error).toBeNull();
  expect(ratioOfSums(parts(0, 0, 0), parts(100, 100, 100))).toBeNull();
  expect(ratioOfSums([], [])).toBeNull();
});

test('swapping the arms negates it', () => {
  const [one, other] = [parts(130, 110, 170), parts(100, 90, 140)];
  expect(ratioOfSums(one, other)?.log).toBeCloseTo(-(ratioOfSums(other, one)?.log ?? Number.NaN), 12);
});
