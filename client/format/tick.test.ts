/** Protects the ticks of a relative axis: a ratio reads as its change. */
import { expect, test } from 'vitest';
import { printChangeTick } from './tick.ts';

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
