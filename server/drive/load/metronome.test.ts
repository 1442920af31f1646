/** Protects the times at which requests are due, with a ramp and without. */
import { expect, test } from 'vitest';
import { dueAfterMs } from './metronome.ts';

test('without a ramp arrivals are evenly spaced from the start', () => {
  const due = [0, 1, 2, 100].map((number) => dueAfterMs(number, { ratePerS: 50, rampMs: 0 }));
  expect(due).toEqual([0, 20, 40, 2000]);
});

test('on a ramp the rate rises in a straight line, and then holds', () => {
  const plan = { ratePerS: 100, rampMs: 2000 };
  const times = Array.from({ length: 400 }, (_, number) => dueAfterMs(number, plan));
  const before = (ms: number) => times.filter((time) => time < ms).length;
  // A rate that rises to 100/s in 2 s: a quarter of the ramp's 100 arrivals in its first half.
  expect(before(1000)).toBe(25);
  expect(before(2000)).toBe(100);
  expect(before(3000)).toBe(200);
  expect(times.every((time, index) => index === 0 || time > (times[index - 1] ?? 0))).toBe(true);
});
