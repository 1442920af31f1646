/** Protects the normal distribution, against SciPy’s. */
import { expect, test } from 'vitest';
import { normalDistribution } from './paired.ts';
import reference from './reference/scipy.json' with { type: 'json' };

test.each(Object.entries(reference.normal))('Φ(%s) is that of SciPy', (x, expected) => {
  expect(Math.abs(normalDistribution(Number(x)) - expected)).toBeLessThan(1e-15);
});

test('far out it is 0 and 1', () => {
  expect(normalDistribution(-40)).toBe(0);
  expect(normalDistribution(40)).toBe(1);
});
