/** Protects the ticks of an axis of ratios: round ones, with ×1 among them where it is in range. */
import { expect, test } from 'vitest';
import { ratioTicks } from './ratio-ticks.ts';

test.each([
  [0.95, 1.3, [1, 1.1, 1.2, 1.3]],
  [0.4, 2.5, [0.5, 1, 2]],
  [0.09, 11, [0.1, 0.2, 0.5, 1, 2, 5, 10]],
])('from %d to %d', (from, to, ticks) => {
  expect(ratioTicks(from, to, 4)).toEqual(ticks);
});
