import { expect, test } from 'vitest';
import { betaQuantile, incompleteBeta } from './incomplete-beta.ts';
import reference from './reference/scipy-shares-and-means.json' with { type: 'json' };

test.each(reference.beta)('I at $x for a = $a, b = $b is SciPy’s', ({ x, a, b, value }) => {
  expect(incompleteBeta(x, a, b)).toBeCloseTo(value, 12);
});

test('the quantile is where the function reaches the probability', () => {
  for (const p of [0.001, 0.025, 0.5, 0.975]) {
    expect(incompleteBeta(betaQuantile(p, 3, 38), 3, 38)).toBeCloseTo(p, 12);
  }
});

test('of one and one it is the uniform distribution', () => {
  for (const x of [0, 0.2, 0.7, 1]) expect(incompleteBeta(x, 1, 1)).toBeCloseTo(x, 14);
});
