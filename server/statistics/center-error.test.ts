/** Protects the standard error of a Hodges-Lehmann center. */
import { expect, test } from 'vitest';
import { centerError } from './center-error.ts';

test('of few values it is the error of their mean: √(7/9) of 1, 2 and 4', () => {
  expect(centerError([1, 2, 4])).toBeCloseTo(Math.sqrt(7 / 9), 12);
  expect(centerError([1])).toBeNull();
});

test('of more it comes from the signed ranks, so one that is far off hardly moves it', () => {
  const values = [-3, -2, -1, 0, 1, 2, 3];
  // P(T ≤ 2) is 3/128, so the third smallest Walsh average, which is −2; t with six degrees is 2.446912.
  expect(centerError(values)).toBeCloseTo(2 / 2.446912, 6);
  expect(centerError([...values.slice(0, -1), 300])).toBeLessThan(100);
  expect(centerError(values.map((value) => -10 * value))).toBeCloseTo(10 * (centerError(values) ?? 0), 12);
});
