/** Protects which windows are set aside: by the machine alone, and never more than half of them. */
import { expect, test } from 'vitest';
import { setAside } from './set-aside.ts';

const asideOf = (windows: Parameters<typeof setAside>[0]) => setAside(windows).map(({ aside }) => aside);

const window = (stealRatio: number | null, foreignRatio: number | null) => ({ stealRatio, foreignRatio });

test('a window is set aside where others took a tenth of the machine more than usual', () => {
  // The usual disturbance is 0.05: 0.02 stolen and 0.03 foreign.
  const windows = [window(0.02, 0.03), window(0.16, 0), window(0, 0.14), window(0.02, 0.03), window(0, 0.05)];
  expect(asideOf(windows)).toEqual([false, true, false, false, false]);
});

test('a machine that is as busy all the time sets nothing aside', () => {
  expect(asideOf(Array.from({ length: 8 }, () => window(0.4, 0.3)))).toEqual(new Array(8).fill(false));
});

test('never more than half are set aside', () => {
  for (let busy = 0; busy <= 9; busy++) {
    const windows = Array.from({ length: 9 }, (_, index) => window(index < busy ? 0.9 : 0, 0));
    expect(asideOf(windows).filter(Boolean).length).toBe(busy <= 4 ? busy : 0);
  }
});

test('a window whose machine could not be read is kept', () => {
  expect(asideOf([window(null, null), window(0, 0), window(0, 0), window(0.5, null)])).toEqual([
    ...[false, false, false, true],
  ]);
  expect(asideOf([window(null, null)])).toEqual([false]);
  expect(asideOf([])).toEqual([]);
});
