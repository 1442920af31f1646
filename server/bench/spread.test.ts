/** Protects how spreads of repeated estimates are compared. */
import { expect, test } from 'vitest';
import reference from './reference/scipy-shares-and-means.json' with { type: 'json' };
import { meanInterval, spreadOf, spreadRatio } from './spread.ts';

test.each(reference.paired.filter(({ confidence }) => confidence === 0.95))(
  'the mean of $values has SciPy’s interval',
  ({ values, center, lo, hi }) => {
    const interval = meanInterval(values);
    expect(interval?.center).toBeCloseTo(center, 12);
    expect(interval?.lo).toBeCloseTo(lo, 11);
    expect(interval?.hi).toBeCloseTo(hi, 11);
  },
);

test('one value has no interval and no spread', () => {
  expect(meanInterval([1])).toBeNull();
  expect(spreadOf([1])).toBeNull();
  expect(spreadRatio([1, 2], [3, 3])).toBeNull();
});

test('the ratio of two spreads has the bounds of F, and swapping them inverts it', () => {
  const [wide, narrow] = [
    [0, 4, 8],
    [0, 1, 2],
  ];
  const ratio = spreadRatio(wide, narrow);
  expect(ratio?.center).toBeCloseTo(4, 12);
  // F with 2 and 2 degrees of freedom lies below p / (1 − p) with probability p.
  expect(ratio?.lo).toBeCloseTo(4 / Math.sqrt(39), 9);
  expect(ratio?.hi).toBeCloseTo(4 * Math.sqrt(39), 9);
  expect(spreadRatio(narrow, wide)?.lo).toBeCloseTo(1 / (ratio?.hi ?? Number.NaN), 9);
});
