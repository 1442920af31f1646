/** Protects the interval of a median, against reference values. */
import { expect, test } from 'vitest';
import { medianInterval } from './intervals.ts';
import reference from './reference/scipy.json' with { type: 'json' };

test.each(reference.cases)(
  'the interval of the median of $name is that of SciPy',
  ({ values, medianInterval: expected }) => {
    const interval = medianInterval(values);
    expect([interval?.lo, interval?.hi]).toEqual(expected);
  },
);

test('nine values at 95 % lose one at either end: 1 − 2·(1 + 9)/2⁹ is 96 %', () => {
  expect(medianInterval([9, 8, 7, 6, 5, 4, 3, 2, 1])).toEqual({ center: 5, lo: 2, hi: 8 });
});

test('a sample too small for the confidence has its whole range', () => {
  expect(medianInterval([3, 1, 2])).toEqual({ center: 2, lo: 1, hi: 3 });
  expect(medianInterval([7])).toEqual({ center: 7, lo: 7, hi: 7 });
});

test('an empty sample has none', () => {
  expect(medianInterval([])).toBeNull();
});
