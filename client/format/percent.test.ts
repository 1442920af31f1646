/** Protects the percentages of tolerances and shares from zeros that nobody asked for. */
import { expect, test } from 'vitest';
import { printPercent } from './percent.ts';

test('a share has the digits asked for and no trailing zeros', () => {
  expect([0.05, 0.125, 1, 0].map((share) => printPercent(share))).toEqual(['5 %', '12.5 %', '100 %', '0 %']);
  expect([0.0634, 0.004, 0.28].map((share) => printPercent(share, 2))).toEqual(['6.3 %', '0.4 %', '28 %']);
});
