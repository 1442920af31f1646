/** Protects the steps of a series: those that are there are found where they are, and chance makes few. */

import { expect, test } from 'vitest';
import { drawNormal } from '../../testing/draws.ts';
import {
  type DriftPoint,
  driftOf,
  driftWidening,
  findSegments,
  type SeriesPoint,
  shortestSegment,
} from './drift.ts';
import { drawsOf } from './random.ts';

const points = (values: readonly number[], standardError = 0.01): SeriesPoint[] =>
  values.map((value) => ({ value, standardError }));
const endsOf = (series: readonly SeriesPoint[]) => findSegments(series).segments.map(({ to }) => to);

function simulate(seed: number, levels: readonly number[], sd: number): SeriesPoint[] {
  const draw = drawsOf(Math.imul(seed, 0x9e3779b1));
  return points(levels.map((level) => level + sd * drawNormal(draw)));
}

test('a step is found where it is, with the means on both sides', () => {
  const { segments } = findSegments(points([0.2, 0.21, 0.19, 0.2, 0.1, 0.11, 0.09, 0.1]));
  expect(segments.map(({ from, to }) => [from, to])).toEqual([
    [0, 4],
    [4, 8],
  ]);
  expect(segments[0]?.mean).toBeCloseTo(0.2, 12);
  expect(segments[1]?.mean).toBeCloseTo(0.1, 12);
  // Four points of equal weight; differences of neighbors are explained by 0.01.
  expect(segments[0]?.standardError).toBeCloseTo(0.005, 3);
});

test('one odd run, or one that is known badly, is no step', () => {
  expect(endsOf(points([0.2, 0.21, 0.19, 0.35, 0.2, 0.19, 0.21]))).toEqual([7]);
  const vague = points([0.2, 0.2, 0.2, 0.3, 0.3, 0.3]).map((point, index) =>
    index < 3 ? point : { ...point, standardError: 0.2 },
  );
  expect(endsOf(vague)).toEqual([6]);
});

test('few points, equal points and none have no step', () => {
  expect(endsOf([])).toEqual([]);
  expect(endsOf(points([0.2]))).toEqual([1]);
  expect(endsOf(points([0.2, 0.2, 0.2, 0.9, 0.9]))).toEqual([5]);
  expect(endsOf(points(new Array(12).fill(0.2), 0))).toEqual([12]);
});

test('values far from zero, and another unit, have the same steps', () => {
  const series = simulate(5, [...new Array(8).fill(0), ...new Array(8).fill(0.08)], 0.01);
  const moved = series.map(({ value, standardError }) => ({
    ...{ value: 1e6 + 1000 * value, standardError: 1000 * standardError },
  }));
  expect(endsOf(moved)).toEqual(endsOf(series));
});

test('it is the cheapest of all segmentations', () => {
  for (let seed = 1; seed <= 40; seed++) {
    const series = simulate(seed, [0, 0, 0, 0, 0.05, 0.05, 0.05, 0.02, 0.02, 0.02], 0.015);
    const { segments, spread } = findSegments(series);
    const weight = 1 / spread ** 2;
    const costOf = (ends: readonly number[]) =>
      ends.reduce((sum, end, index) => {
        const values = series.slice(ends[index - 1] ?? 0, end).map(({ value }) => value);
        const mean = values.reduce((total, value) => total + value, 0) / values.length;
        const penalty = index === 0 ? 0 : 3 * Math.log(series.length);
        return sum + penalty + weight * values.reduce((total, value) => total + (value - mean) ** 2, 0);
      }, 0);
    const cheapest = Math.min(...allEnds(series.length).map(costOf));
    expect(costOf(segments.map(({ to }) => to))).toBeCloseTo(cheapest, 6);
  }
});

/** Every way to cut a series into segments that are long enough. */
function allEnds(count: number): number[][] {
  const longer = (end: number): number[][] => [
    [end],
    ...Array.from(
      { length: Math.max(0, end - 2 * shortestSegment + 1) },
      (_, index) => index + shortestSegment,
    ).flatMap((start) => longer(start).map((ends) => [...ends, end])),
  ];
  return longer(count);
}

test('of thirty runs without a step, hardly one series in ten shows one, and a step of four deviations is missed by few', () => {
  const level = new Array(30).fill(0.2);
  const stepped = level.map((value, index) => (index < 18 ? value : value + 0.08));
  let alarms = 0;
  let found = 0;
  const series = 400;
  for (let seed = 1; seed <= series; seed++) {
    if (endsOf(simulate(seed, level, 0.02)).length > 1) alarms++;
    if (endsOf(simulate(seed, stepped, 0.02)).some((end) => Math.abs(end - 18) <= 1)) found++;
  }
  expect(alarms / series).toBeLessThan(0.1);
  expect(found / series).toBeGreaterThan(0.95);
});

/** Protects the drift of a ratio: none is seen where there is none, and a real one widens by half of what it moved. */

function driftSimulate(seed: number, slope: number, launches = 5, epochs = 6): DriftPoint[] {
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
  const flagged = shareOf((seed) => driftWidening(driftOf(driftSimulate(seed, 0))) > 0);
  expect(flagged).toBeGreaterThan(0.035);
  expect(flagged).toBeLessThan(0.065);
});

test('a drift of 5 % over a launch is found, and half of it widens', () => {
  const slope = Math.log(1.05) / 2500;
  const widenings = Array.from({ length: 200 }, (_, seed) =>
    driftWidening(driftOf(driftSimulate(seed, -slope))),
  );
  expect(widenings.filter((by) => by > 0).length).toBe(200);
  const mean = widenings.reduce((sum, by) => sum + by, 0) / widenings.length;
  expect(mean).toBeCloseTo(Math.log(1.05) / 2, 3);
});

test('too few points, and points at one place, say nothing and widen nothing', () => {
  expect(driftOf(driftSimulate(1, 0, 5, 1))).toBeNull();
  expect(driftOf(driftSimulate(1, 0, 1, 3))).toBeNull();
  expect(driftOf(driftSimulate(1, 0).map((point) => ({ ...point, transactions: 7 })))).toBeNull();
  expect(driftWidening(null)).toBe(0);
});
