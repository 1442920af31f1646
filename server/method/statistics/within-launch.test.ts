/** Protects the interval of a single launch. */
import { expect, test } from 'vitest';
import { withinLaunch } from './within-launch.ts';

test('epochs that agree take their errors together', () => {
  const { center, lo, hi } = withinLaunch([
    { value: 0.1, error: 0.03 },
    { value: 0.12, error: 0.04 },
  ]);
  expect(center).toBeCloseTo(0.11, 12);
  // √(0.03² + 0.04²) / 2
  expect(hi - center).toBeCloseTo(1.959964 * 0.025, 9);
  expect(center - lo).toBeCloseTo(hi - center, 12);
});

test('epochs farther apart than their errors allow widen the interval to their own spread', () => {
  const { center, hi } = withinLaunch([
    { value: 0, error: 0.001 },
    { value: 0.2, error: 0.001 },
  ]);
  expect(hi - center).toBeCloseTo(1.959964 * 0.1, 9);
});

test('without errors it is Student’s interval, and of one epoch a point', () => {
  const { hi, center } = withinLaunch([1, 2, 4].map((value) => ({ value, error: null })));
  expect(hi - center).toBeCloseTo(4.302653 * Math.sqrt(7 / 9), 5);
  expect(withinLaunch([{ value: 0.2, error: null }])).toEqual({ center: 0.2, lo: 0.2, hi: 0.2 });
});
