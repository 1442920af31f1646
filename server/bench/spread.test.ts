/** Protects the mean and the spread of repeated estimates, each with its interval. */

import { expect, test } from 'vitest';
import { incompleteBeta } from '../method/statistics/distributions.ts';
import reference from './reference/scipy-shares-and-means.json' with { type: 'json' };
import { betaQuantile, binomialInterval, meanInterval, spreadInterval, spreadOf } from './spread.ts';

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
  expect(spreadInterval([1])).toBeNull();
});

/** Quantiles of chi-square with 1, 11, and 19 degrees of freedom: R 4.2, qchisq(c(0.025, 0.975), degrees). */
test.each([
  [2, 0.000982069117175, 5.02388618731489],
  [12, 3.8157482522361, 21.9200492610212],
  [20, 8.90651648198797, 32.8523268616973],
])('the spread of %i values has the bounds of chi-square', (count, low, high) => {
  const values = Array.from({ length: count }, (_, index) => (index * 7) % count);
  const spread = spreadInterval(values);
  const squares = (count - 1) * (spreadOf(values) ?? Number.NaN) ** 2;
  expect(squares / (spread?.hi ?? Number.NaN) ** 2 / low).toBeCloseTo(1, 5);
  expect(squares / (spread?.lo ?? Number.NaN) ** 2 / high).toBeCloseTo(1, 5);
});

test.each(reference.binomial)(
  '$successes of $trials at $confidence is SciPy’s exact interval',
  ({ successes, trials, confidence, lo, hi }) => {
    const interval = binomialInterval(successes, trials, confidence);
    expect(interval?.center).toBe(successes / trials);
    expect(interval?.lo).toBeCloseTo(lo, 12);
    expect(interval?.hi).toBeCloseTo(hi, 12);
  },
);

test('none of n reaches up to 1 − 0.025^(1/n)', () => {
  expect(binomialInterval(0, 20)?.hi).toBeCloseTo(1 - 0.025 ** (1 / 20), 12);
});

test('without a trial there is no share', () => {
  expect(binomialInterval(0, 0)).toBeNull();
});

test.each([
  [0.025, 4, 7],
  [0.5, 0.5, 0.5],
  [0.975, 200, 1],
])('the quantile of %f of (%f, %f) gives it back', (p, a, b) => {
  expect(incompleteBeta(betaQuantile(p, a, b), a, b)).toBeCloseTo(p, 12);
});

test('of (1, n) it is 1 − (1 − p)^(1/n)', () => {
  expect(betaQuantile(0.05, 1, 20)).toBeCloseTo(1 - 0.95 ** (1 / 20), 14);
});
