/** Protects quantiles, against NumPy’s. */
import { expect, test } from 'vitest';
import { median, quantile } from './intervals.ts';
import reference from './reference/scipy.json' with { type: 'json' };

test.each(reference.cases)('quantiles of the sample $name are those of NumPy', ({ values, quantiles }) => {
  for (const [p, expected] of Object.entries(quantiles))
    expect(quantile(values, Number(p))).toBeCloseTo(expected, 12);
});

test('the median of an even sample lies between its two middle values', () => {
  expect(median([4, 1, 3, 10])).toBe(3.5);
});

test('an empty sample has no quantile', () => {
  expect(() => median([])).toThrow(RangeError);
});

test('the sample is left as it was', () => {
  const values = [3, 1, 2];
  median(values);
  expect(values).toEqual([3, 1, 2]);
});
