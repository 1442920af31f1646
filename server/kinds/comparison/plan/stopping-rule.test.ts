/** Protects the rule by which a run ends: a narrow headline, twice in a row, with enough samples. */
import { expect, test } from 'vitest';
import { expectedGrowth, isKnown, type Look, precisionOfPlan, withLook } from './stopping-rule.ts';

const looksOf = (...looks: [samples: number, halfWidth: number][]): Look[] =>
  looks.map(([samples, halfWidth]) => ({ samples, halfWidth }));

test('the headline is known after two narrow looks in a row, not after one', () => {
  expect(isKnown([], 0.05)).toBe(false);
  expect(isKnown(looksOf([12, 0.05]), 0.05)).toBe(false);
  expect(isKnown(looksOf([9, 0.05], [12, 0.05]), 0.05)).toBe(true);
});

test('a wide look starts the count again', () => {
  expect(isKnown(looksOf([12, 0.04], [15, 0.051]), 0.05)).toBe(false);
  expect(isKnown(looksOf([12, 0.04], [15, 0.051], [18, 0.04]), 0.05)).toBe(false);
  expect(isKnown(looksOf([12, 0.051], [15, 0.04], [18, 0.04]), 0.05)).toBe(true);
});

test('fewer than ten samples never end a run', () => {
  expect(isKnown(looksOf([6, 0.01], [9, 0.01]), 0.05)).toBe(false);
  expect(isKnown(looksOf([8, 0.01], [10, 0.01]), 0.05)).toBe(true);
});

test('a look needs 20 % more samples than the one before', () => {
  const first = withLook([], { samples: 10, halfWidth: 0.05 });
  expect(withLook(first, { samples: 11, halfWidth: 0.04 })).toEqual(first);
  expect(withLook(first, { samples: 12, halfWidth: 0.04 })).toHaveLength(2);
});

test('where no primary metric can be measured, nothing is waited for', () => {
  const nothing = { samples: Number.POSITIVE_INFINITY, halfWidth: 0 };
  expect(isKnown(withLook(withLook([], nothing), nothing), 0.01)).toBe(true);
});

test('what is needed grows with the square of the width', () => {
  expect(expectedGrowth({ samples: 12, halfWidth: 0.06 }, 0.03)).toBeCloseTo(4, 9);
  expect(expectedGrowth({ samples: 12, halfWidth: 0.01 }, 0.03)).toBe(1);
});

test('a precision that was asked for replaces that of the length', () => {
  expect(precisionOfPlan({ length: 'quote', precision: null })).toBe(0.02);
  expect(precisionOfPlan({ length: 'quote', precision: 0.03 })).toBe(0.03);
});
