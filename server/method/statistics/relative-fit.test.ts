/** Protects least squares in percent where columns are nearly the same, and where they are the same. */
import { expect, test } from 'vitest';
import { fitRelative } from './relative-fit.ts';

const sizes = Array.from({ length: 40 }, (_, index) => 5_000_000 + 123_457 * index);
const ones = sizes.map(() => 1);
const records = sizes.map((size) => Math.ceil(size / 16_384));

test('bytes and records of large documents can be told apart', () => {
  const times = sizes.map((size, row) => 80 + 0.002 * size + 3 * (records[row] ?? 0));
  const { coefficients = [], misses = [] } = fitRelative([ones, sizes, records], times) ?? {};
  expect(coefficients[0]).toBeCloseTo(80, 4);
  expect(coefficients[1]).toBeCloseTo(0.002, 9);
  expect(coefficients[2]).toBeCloseTo(3, 5);
  expect(Math.max(...misses.map(Math.abs))).toBeLessThan(1e-12);
});

test('terms that say the same are refused, and so are more terms than times', () => {
  expect(fitRelative([ones, sizes, ones], sizes)).toBeNull();
  expect(fitRelative([ones, [1, 2]], [5])).toBeNull();
});

test('deviations that the terms explain leave no residual, and what they miss remains', () => {
  const times = [10, 20, 30, 45];
  const fit = fitRelative(
    [
      [1, 1, 1, 1],
      [1, 2, 3, 4],
    ],
    times,
  );
  const explained = times.map((time, row) => (7 - row) / time);
  for (const rest of fit?.missesOf(explained) ?? [1]) expect(rest).toBeCloseTo(0, 12);
  const again = fit?.missesOf(fit.misses) ?? [];
  expect(again.map((miss) => miss.toFixed(12))).toEqual(fit?.misses.map((miss) => miss.toFixed(12)));
});
