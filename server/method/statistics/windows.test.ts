/** Protects who counts as part of the server: growth with the load, never mere activity. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { twoSidesAndTwin as arms } from '../../../shared/base/transport.ts';
import { sampleWindows } from '../../testing/sample-windows.ts';
import {
  canDoWithout,
  growthOf,
  judgeUnseen,
  judgeWindows,
  planBlocks,
  setAside,
  type UseInRound,
  warningOfFailures,
  works,
} from './windows.ts';

const round = (loadedUs: number, nobodyUs: number): UseInRound => ({
  ...{ loadedUs, loadedMs: 45 },
  ...{ nobodyUs, nobodyMs: 15 },
});
const target = { mean: 800 };
const seen = (mean: number, t: number, degrees = 15) => ({ mean, t, degrees });

test('growth is the mean of paired rates, with its t', () => {
  // Rates of 10 − 1, 12 − 1, and 14 − 1 µs per ms: mean 11, standard deviation 2, error 2 ÷ √3.
  const { mean, t } = growthOf([round(450, 15), round(540, 15), round(630, 15)]);
  expect(mean).toBeCloseTo(11, 10);
  expect(t).toBeCloseTo(11 / (2 / Math.sqrt(3)), 10);
});

test('what is as busy without requests does not work for them', () => {
  const busy = growthOf([round(9000, 3000), round(9100, 3040), round(8900, 2960), round(9000, 3010)]);
  expect(works(busy, target)).toBe(false);
  expect(growthOf([round(0, 0), round(0, 0)])).toMatchObject({ mean: 0, t: 0, degrees: 1 });
  expect(works(seen(-80, -20), target)).toBe(false);
});

test('it takes more than a hundredth of the target, and more certainty without a tie', () => {
  expect(works(seen(8.1, 4.6), target)).toBe(true);
  expect(works(seen(7.9, 40), target)).toBe(false);
  expect(works(seen(80, 4.4), target)).toBe(false);
  expect(works(seen(80, 5.9), target, false)).toBe(false);
  expect(works(seen(80, 6.1), target, false)).toBe(true);
});

test('by ticks, it takes 5 % of a core as well', () => {
  expect(works(seen(49, 6.1), target, true, true)).toBe(false);
  expect(works(seen(51, 6.1), target, true, true)).toBe(true);
  expect(works(seen(51, 6.1), { mean: 8000 }, true, true)).toBe(false);
});

test('fewer rounds need a larger t', () => {
  // P(|t| > 4.5) of 15 degrees is 0.00042; of 5 degrees it takes 7.9.
  expect(works(seen(80, 7.5, 5), target)).toBe(false);
  expect(works(seen(80, 8.3, 5), target)).toBe(true);
});

test('a process that uses exactly as much in each round is certain', () => {
  expect(works(growthOf([round(4500, 0), round(4500, 0), round(4500, 0)]), target, false)).toBe(true);
});

const stretch = (loadedUs: number, nobodyUs: number): UseInRound => ({
  ...{ loadedUs, loadedMs: 250 },
  ...{ nobodyUs, nobodyMs: 250 },
});
const eight = (of: (pair: number) => UseInRound) => Array.from({ length: 8 }, (_, pair) => of(pair));
/** A fifth of a core. */
const loadedTarget = eight(() => stretch(50_000, 0));

test('what nobody accounts for and grows with the requests is a share of the target', () => {
  const unseen = judgeUnseen(
    eight((pair) => stretch(125_000 + 5000 * (pair % 3), 5000)),
    loadedTarget,
    0.7,
  );
  // Means of 129,375 and 5,000 µs in 250 ms: 497.5 µs per ms, against 200.
  expect(unseen?.cores).toBeCloseTo(0.4975, 4);
  expect(unseen?.share).toBeCloseTo(2.4875, 4);
});

test('steps of 10 ms that come and go are nothing, and what fills the machine anyway leaves it open', () => {
  const steps = eight((pair) => stretch(pair % 2 === 0 ? 0 : 10_000, pair % 2 === 0 ? 10_000 : 10_000));
  expect(judgeUnseen(steps, loadedTarget, 0.7)).toBeNull();
  const busy = eight((pair) => stretch(400_000 + 40_000 * (pair % 2), 400_000 + 40_000 * ((pair + 1) % 2)));
  // Scattered as widely, but of next to nothing.
  const idle = eight((pair) => stretch(pair % 2 === 0 ? -40_000 : 44_000, pair % 2 === 0 ? 44_000 : -40_000));
  expect(judgeUnseen(idle, loadedTarget, 0.7)).toBeNull();
  expect(judgeUnseen(busy, loadedTarget, 0.7)).toEqual({ cores: expect.closeTo(1.68, 10), share: null });
});

test('on a full machine, other work that gave way to the requests leaves the answer open', () => {
  // A program used a core for the requests, and a hidden build as much less meanwhile.
  const displaced = eight(() => stretch(300_000, 310_000));
  expect(judgeUnseen(displaced, loadedTarget, 0.7)).toBeNull();
  expect(judgeUnseen(displaced, loadedTarget, 0.97)).toEqual({ cores: expect.closeTo(1.2, 10), share: null });
});

/** Protects which windows are set aside: by the machine alone, and never more than half of them. */

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

/** Protects a run whose server reloads: what failed costs the round in which it did, on all sides, and is said. */

/** Six seconds of a machine on which nothing else runs. */
const calm = sampleWindows('maximum', 0, 1, () => 0.5).map((window) => ({ ...window, elapsedMs: 1000 }));
const withFailures = (...places: number[]) =>
  calm.map((window, place) => (places.includes(place) ? { ...window, failed: 2 } : window));
const asideOfWindows = (windows: typeof calm) => judgeWindows(windows).map(({ aside }) => aside);

test('a window in which something failed is set aside, and one in which the machine was disturbed', () => {
  expect(asideOfWindows(calm)).toEqual(Array(6).fill(false));
  expect(asideOfWindows(withFailures(1))).toEqual([false, true, false, false, false, false]);
  const [first, ...others] = withFailures(1);
  const disturbed = [{ ...first, stealRatio: 0.6 }, ...others] as typeof calm;
  expect(asideOfWindows(disturbed)).toEqual([true, true, false, false, false, false]);
});

test('where most windows failed, none is set aside for it', () => {
  expect(asideOfWindows(withFailures(1, 2, 3, 4))).toEqual(Array(6).fill(false));
});

test('of the windows that did not fail, no more than half are set aside', () => {
  const others = withFailures(0, 1, 2).map((window, place) =>
    place > 3 ? window : { ...window, stealRatio: 0.6 },
  );
  expect(asideOfWindows(others)).toEqual([true, true, true, true, false, false]);
});

test('a block does without half of its windows, and not without more', () => {
  expect(canDoWithout(withFailures(1))).toBe(true);
  expect(canDoWithout(withFailures(0, 1, 2))).toBe(true);
  expect(canDoWithout(withFailures(0, 1, 2, 3))).toBe(false);
  // The failure was in none of them.
  expect(canDoWithout(calm)).toBe(false);
  expect(canDoWithout([])).toBe(false);
});

test('how many windows failed is said', () => {
  expect(warningOfFailures([{ windows: judgeWindows(calm) }])).toBeNull();
  expect(warningOfFailures([{ windows: judgeWindows(withFailures(0, 3)) }, { windows: calm }])).toBe(
    'Requests failed in 2 of 12 readings, which were discarded for all sides.',
  );
});

/** Protects the order of blocks: balanced, mirrored and repeatable by its seed. */

const plans = fc.tuple(fc.nat({ max: 2 ** 31 - 1 }), fc.integer({ min: 1, max: 40 }));

test('every pair of blocks has one at each operating point', () => {
  fc.assert(
    fc.property(plans, ([seed, blocksPerPoint]) => {
      const blocks = planBlocks(arms, seed, blocksPerPoint);
      expect(blocks.map(({ index }) => index)).toEqual(
        Array.from({ length: 2 * blocksPerPoint }, (_, index) => index),
      );
      for (let first = 0; first < blocks.length; first += 2) {
        expect(blocks[first]?.kind).not.toBe(blocks[first + 1]?.kind);
      }
    }),
  );
});

test('every block visits the three arms and then the same in its mirror', () => {
  fc.assert(
    fc.property(plans, ([seed, blocksPerPoint]) => {
      for (const { order } of planBlocks(arms, seed, blocksPerPoint)) {
        expect([...order].toReversed().join('')).toBe(order);
        expect([...order.slice(0, 3)].sort().join('')).toBe('ABN');
      }
    }),
  );
});

test('the same seed plans the same blocks, and a shorter plan is the beginning of a longer one', () => {
  expect(planBlocks(arms, 42, 12)).toEqual(planBlocks(arms, 42, 12));
  expect(planBlocks(arms, 42, 5)).toEqual(planBlocks(arms, 42, 12).slice(0, 10));
  expect(planBlocks(arms, 43, 12)).not.toEqual(planBlocks(arms, 42, 12));
});

test('either operating point, and any of the six orders, comes first about as often as the others', () => {
  const runs = 1200;
  const firsts = Array.from({ length: runs }, (_, seed) => planBlocks(arms, seed, 1)[0]);
  const orders = Map.groupBy(firsts, (block) => block?.order);
  expect(orders.size).toBe(6);
  for (const blocks of orders.values()) expect(Math.abs(blocks.length - runs / 6)).toBeLessThan(50);
  const steady = firsts.filter((block) => block?.kind === 'steady').length;
  expect(Math.abs(steady - runs / 2)).toBeLessThan(70);
});
