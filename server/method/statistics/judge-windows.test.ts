/** Protects a run whose server reloads: what failed costs the round in which it did, on all sides, and is said. */
import { expect, test } from 'vitest';
import { sampleWindows } from '../../testing/sample-windows.ts';
import { canDoWithout, judgeWindows, warningOfFailures } from './judge-windows.ts';

/** Six seconds of a machine on which nothing else runs. */
const calm = sampleWindows('maximum', 0, 1, () => 0.5).map((window) => ({ ...window, elapsedMs: 1000 }));
const withFailures = (...places: number[]) =>
  calm.map((window, place) => (places.includes(place) ? { ...window, failed: 2 } : window));
const asideOf = (windows: typeof calm) => judgeWindows(windows).map(({ aside }) => aside);

test('a window in which something failed is set aside, and one in which the machine was disturbed', () => {
  expect(asideOf(calm)).toEqual(Array(6).fill(false));
  expect(asideOf(withFailures(1))).toEqual([false, true, false, false, false, false]);
  const [first, ...others] = withFailures(1);
  const disturbed = [{ ...first, stealRatio: 0.6 }, ...others] as typeof calm;
  expect(asideOf(disturbed)).toEqual([true, true, false, false, false, false]);
});

test('where most windows failed, none is set aside for it', () => {
  expect(asideOf(withFailures(1, 2, 3, 4))).toEqual(Array(6).fill(false));
});

test('of the windows that did not fail, no more than half are set aside', () => {
  const others = withFailures(0, 1, 2).map((window, place) =>
    place > 3 ? window : { ...window, stealRatio: 0.6 },
  );
  expect(asideOf(others)).toEqual([true, true, true, true, false, false]);
});

test('a block does without half of its windows, and not without more', () => {
  expect(canDoWithout(withFailures(1))).toBe(true);
  expect(canDoWithout(withFailures(0, 1, 2))).toBe(true);
  expect(canDoWithout(withFailures(0, 1, 2, 3))).toBe(false);
  // What failed was in none of them.
  expect(canDoWithout(calm)).toBe(false);
  expect(canDoWithout([])).toBe(false);
});

test('how many windows failed is said', () => {
  expect(warningOfFailures([{ windows: judgeWindows(calm) }])).toBeNull();
  expect(warningOfFailures([{ windows: judgeWindows(withFailures(0, 3)) }, { windows: calm }])).toBe(
    'Requests failed in 2 of 12 windows, which were set aside for all sides.',
  );
});
