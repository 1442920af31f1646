/** Protects Holm’s correction of p-values. */
import { expect, test } from 'vitest';
import { holm } from './holm.ts';

test('the smallest p-value is multiplied by the family, the next by one less, and none may fall below the one before', () => {
  // 0.01·3, 0.03·2, max(0.04·1, 0.06)
  expect(holm([0.01, 0.04, 0.03])).toEqual([0.03, 0.06, 0.06]);
});

test('an adjusted p-value stays at or below 1', () => {
  expect(holm([0.6, 0.9])).toEqual([1, 1]);
});

test('a test that stands alone is left as it is', () => {
  expect(holm([0.04])).toEqual([0.04]);
  expect(holm([])).toEqual([]);
});
