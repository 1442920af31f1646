/** Protects which windows are set aside: by the machine alone, and never more than half of them. */
import { expect, test } from 'vitest';
import { setAside } from './set-aside.ts';

const asideOf = (windows: Parameters<typeof setAside>[0]) => setAside(windows).map(({ aside }) => aside);

const window = (stealRatio: number | null, foreignRatio: number | null, elapsedMs = 1000) => ({
  ...{ stealRatio, foreignRatio, elapsedMs },
});

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

test('what this program took counts as well', () => {
  const ours = (oursRatio: number) => ({ ...window(0, 0.02), oursRatio });
  expect(asideOf([ours(0), ours(0.01), ours(0.15)])).toEqual([false, false, true]);
});

test('short windows are judged by the second: a step of the kernel’s clock is no disturbance, and one is all of its second', () => {
  // Rounds of 50 ms of two cores, of which one in four shows a step of 10 ms.
  const calm = Array.from({ length: 60 }, (_, index) => window(0, index % 4 === 0 ? 0.12 : 0.01, 50));
  expect(asideOf(calm)).toEqual(new Array(60).fill(false));
  const busy = calm.map((each, index) => (index >= 15 && index < 30 ? window(0, 0.3, 50) : each));
  expect(asideOf(busy)).toEqual(busy.map((_, index) => index >= 15 && index < 30));
  // Less than a second at the end belongs to the last one.
  expect(asideOf([...busy.slice(0, 30), window(0, 0.01, 50)])).toEqual([
    ...Array(15).fill(false),
    ...Array(16).fill(true),
  ]);
});

test('a window whose machine could not be read is kept', () => {
  expect(asideOf([window(null, null), window(0, 0), window(0, 0), window(0.5, null)])).toEqual([
    ...[false, false, false, true],
  ]);
  expect(asideOf([window(null, null)])).toEqual([false]);
  expect(asideOf([])).toEqual([]);
});
