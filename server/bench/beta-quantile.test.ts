/** Protects the quantiles of the beta distribution, which the intervals of benches are made of. */
import { expect, test } from 'vitest';
import { incompleteBeta } from '../method/statistics/incomplete-beta.ts';
import { betaQuantile } from './beta-quantile.ts';

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
