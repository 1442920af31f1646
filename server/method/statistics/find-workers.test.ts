/** Protects who counts as part of the server: growth with the load, never mere activity. */
import { expect, test } from 'vitest';
import { growthOf, judgeUnseen, type UseInRound, works } from './find-workers.ts';

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
  );
  // Means of 129,375 and 5,000 µs in 250 ms: 497.5 µs per ms, against 200.
  expect(unseen?.cores).toBeCloseTo(0.4975, 4);
  expect(unseen?.share).toBeCloseTo(2.4875, 4);
});

test('steps of 10 ms that come and go are nothing, and what fills the machine anyway leaves it open', () => {
  const steps = eight((pair) => stretch(pair % 2 === 0 ? 0 : 10_000, pair % 2 === 0 ? 10_000 : 10_000));
  expect(judgeUnseen(steps, loadedTarget)).toBeNull();
  const busy = eight((pair) => stretch(400_000 + 40_000 * (pair % 2), 400_000 + 40_000 * ((pair + 1) % 2)));
  // Scattered as widely, but of next to nothing.
  const idle = eight((pair) => stretch(pair % 2 === 0 ? -40_000 : 44_000, pair % 2 === 0 ? 44_000 : -40_000));
  expect(judgeUnseen(idle, loadedTarget)).toBeNull();
  expect(judgeUnseen(busy, loadedTarget)).toEqual({ cores: expect.closeTo(1.68, 10), share: null });
});
