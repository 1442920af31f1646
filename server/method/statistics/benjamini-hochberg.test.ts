/** Protects the correction of Benjamini and Hochberg, against R’s. */
import { expect, test } from 'vitest';
import { benjaminiHochberg } from './benjamini-hochberg.ts';

test('the adjusted p-values are those of R', () => {
  // R 4: p.adjust(c(0.01, 0.04, 0.03, 0.005, 0.6), "BH"); also scipy 1.17.1, stats.false_discovery_control.
  const adjusted = benjaminiHochberg([0.01, 0.04, 0.03, 0.005, 0.6]);
  [0.025, 0.05, 0.05, 0.025, 0.6].forEach((expected, index) => {
    expect(adjusted[index]).toBeCloseTo(expected, 12);
  });
});

test('one that stands alone is left as it is, and none is above 1', () => {
  expect(benjaminiHochberg([0.2])).toEqual([0.2]);
  expect(benjaminiHochberg([1, 1])).toEqual([1, 1]);
  expect(benjaminiHochberg([])).toEqual([]);
});
