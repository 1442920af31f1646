/** Protects the ticks of relative axes: changes in percent, and ratios as factors. */

import { expect, test } from 'vitest';
import { printChangeTick, printRatioTick, ratioTicks } from '../../shared/base/quantity.ts';
import { printPercent } from './printed-figures.ts';

test.each([
  [0, '0 %'],
  [0.05, '+5 %'],
  [-0.1, '−10 %'],
  [0.025, '+2.5 %'],
  [0.0085, '+0.85 %'],
  [0.1 + 0.2, '+30 %'],
  [100, '+10,000 %'],
])('a tick at %d reads %s', (change, text) => {
  expect(printChangeTick(change)).toBe(text);
});

test.each([
  [0, '×1'],
  [0.2, '×1.2'],
  [-0.5, '×0.5'],
  [1, '×2'],
  [0.012, '×1.01'],
])('a ratio at a change of %d reads %s', (change, text) => {
  expect(printRatioTick(change)).toBe(text);
});

/** Protects the ticks of an axis of ratios: round ones, with ×1 among them where it is in range. */

test.each([
  [0.95, 1.3, [1, 1.1, 1.2, 1.3]],
  [0.4, 2.5, [0.5, 1, 2]],
  [0.09, 11, [0.1, 0.2, 0.5, 1, 2, 5, 10]],
])('from %d to %d', (from, to, ticks) => {
  expect(ratioTicks(from, to, 4)).toEqual(ticks);
});

/** Protects the percentages of tolerances and shares from zeros that nobody asked for. */

test('a share has the digits asked for and no trailing zeros', () => {
  expect([0.05, 0.125, 1, 0].map((share) => printPercent(share))).toEqual(['5 %', '12.5 %', '100 %', '0 %']);
  expect([0.0634, 0.004, 0.28].map((share) => printPercent(share, 2))).toEqual(['6.3 %', '0.4 %', '28 %']);
});
