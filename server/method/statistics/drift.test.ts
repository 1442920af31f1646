/** Protects the drift of a ratio: none is seen where there is none, and a real one widens by half of what it moved. */
import { expect, test } from 'vitest';
import { drawNormal } from '../../testing/draws.ts';
import { type DriftPoint, driftOf, driftWidening } from './drift.ts';
import { drawsOf } from './random.ts';

function simulate(seed: number, slope: number, launches = 5, epochs = 6): DriftPoint[] {
  const draw = drawsOf(Math.imul(seed, 0x9e3779b1));
  return Array.from({ length: launches }, (_, launch) => {
    const own = 0.1 + 0.02 * drawNormal(draw);
    return Array.from({ length: epochs }, (_, epoch) => {
      const transactions = 1000 + 500 * epoch;
      const logRatio = own + slope * transactions + 0.01 * drawNormal(draw);
      return { launch, transactions, logRatio, weight: 1 };
    });
  }).flat();
}

const runs = 2000;
const shareOf = (is: (seed: number) => boolean) =>
  Array.from({ length: runs }, (_, seed) => seed).filter(is).length / runs;

test('the slope is pooled over launches that lie apart, each point with its weight', () => {
  // Launch 0 at y = 1 + x but for one point of weight 0; launch 1 at y = 5 + x, with noise.
  const points = [
    [0, 0, 1, 1],
    [0, 2, 3, 1],
    [0, 1, 99, 0],
    [1, 10, 15.5, 1],
    [1, 11, 15, 1],
    [1, 12, 17.5, 1],
  ].map(([launch = 0, transactions = 0, logRatio = 0, weight = 0]) => ({
    ...{ launch, transactions, logRatio, weight },
  }));
  const drift = driftOf(points);
  expect(drift?.slope).toBeCloseTo(1, 12);
  // Launch 1 is off its line by ½, −1 and ½: 1.5 in squares, with 5 − 2 − 1 degrees; Σ(x − x̄)² = 2 + 2.
  expect(drift?.degrees).toBe(2);
  expect(drift?.standardError).toBeCloseTo(Math.sqrt(1.5 / 2 / 4), 12);
  // Student's quantile with two degrees, 4.302653.
  expect(drift?.hi).toBeCloseTo(1 + 4.302653 * Math.sqrt(1.5 / 2 / 4), 5);
  expect(drift?.span).toBe(2);
});

test('where nothing drifts, about one run in twenty is widened', () => {
  const flagged = shareOf((seed) => driftWidening(driftOf(simulate(seed, 0))) > 0);
  expect(flagged).toBeGreaterThan(0.035);
  expect(flagged).toBeLessThan(0.065);
});

test('a drift of 5 % over a launch is found, and half of it widens', () => {
  const slope = Math.log(1.05) / 2500;
  const widenings = Array.from({ length: 200 }, (_, seed) => driftWidening(driftOf(simulate(seed, -slope))));
  expect(widenings.filter((by) => by > 0).length).toBe(200);
  const mean = widenings.reduce((sum, by) => sum + by, 0) / widenings.length;
  expect(mean).toBeCloseTo(Math.log(1.05) / 2, 3);
});

test('too few points, and points at one place, say nothing and widen nothing', () => {
  expect(driftOf(simulate(1, 0, 5, 1))).toBeNull();
  expect(driftOf(simulate(1, 0, 1, 3))).toBeNull();
  expect(driftOf(simulate(1, 0).map((point) => ({ ...point, transactions: 7 })))).toBeNull();
  expect(driftWidening(null)).toBe(0);
});
