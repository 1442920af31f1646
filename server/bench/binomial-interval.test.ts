/** Protects the interval of a share, against SciPy’s. */
import { expect, test } from 'vitest';
import { binomialInterval } from './binomial-interval.ts';
import reference from './reference/scipy-shares-and-means.json' with { type: 'json' };

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
