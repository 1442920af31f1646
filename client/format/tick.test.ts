/** Protects the ticks of relative axes: changes in percent, and ratios as factors. */
import { expect, test } from 'vitest';
import { printChangeTick, printRatioTick } from './tick.ts';

test.each([
  [0, '0 %'],
  [0.05, '+5 %'],
  [-0.1, '−10 %'],
  [0.025, '+2.5 %'],
  [0.0085, '+0.85 %'],
  [0.1 + 0.2, '+30 %'],
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
