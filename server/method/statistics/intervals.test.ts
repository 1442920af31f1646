/** Protects the interval over launches: its numbers, its coverage, and what it needs. */

import { describe, expect, test } from 'vitest';
import {
  clusteredMedian,
  estimateOf,
  hodgesLehmann,
  jackknife,
  type Left,
  launchInterval,
  ratioOfSums,
  walshAverages,
} from './intervals.ts';
import { meanOf } from './mean.ts';
import { drawsOf } from './random.ts';

const units = (...launches: number[][]) =>
  launches.flatMap((values, launch) => values.map((value) => ({ launch, value })));

describe('over launches', () => {
  test('the interval is Student’s over the means of the launches, however many units each has', () => {
    // For the means 1, 2 and 4: error √(7/9), t √7, and with two degrees of freedom P is 1 − √7 / √(2 + 7), the quantile 4.302653.
    const interval = launchInterval(units([0, 1, 2], [2], [3, 5]), 0.95);
    expect(interval?.center).toBeCloseTo(7 / 3, 12);
    expect(interval?.lo).toBeCloseTo(7 / 3 - 4.302653 * Math.sqrt(7 / 9), 5);
    expect(interval?.hi).toBeCloseTo(7 / 3 + 4.302653 * Math.sqrt(7 / 9), 5);
    expect(interval?.pValue).toBeCloseTo(1 - Math.sqrt(7) / 3, 12);
    expect(interval?.degrees).toBe(2);
    expect(interval?.standardError).toBeCloseTo(Math.sqrt(7 / 9), 12);
  });
  test('swapping the sides negates it, and another unit scales it', () => {
    const given = units([0.1, 0.2], [0.15], [0.3]);
    const interval = launchInterval(given, 0.9);
    const negated = launchInterval(
      given.map(({ launch, value }) => ({ launch, value: -3 * value })),
      0.9,
    );
    expect(negated?.center).toBeCloseTo(-3 * (interval?.center ?? 0), 12);
    expect(negated?.lo).toBeCloseTo(-3 * (interval?.hi ?? 0), 12);
    expect(negated?.hi).toBeCloseTo(-3 * (interval?.lo ?? 0), 12);
    expect(negated?.pValue).toBeCloseTo(interval?.pValue ?? 0, 12);
  });
  test('without spread there is nothing to be uncertain about', () => {
    expect(launchInterval(units([2], [2]), 0.95)).toMatchObject({ center: 2, lo: 2, hi: 2, pValue: 0 });
    expect(launchInterval(units([0], [0]), 0.95)).toMatchObject({ center: 0, pValue: 1 });
  });
});

describe('with one launch', () => {
  test('its units stand in', () => {
    expect(launchInterval(units([1, 2, 4]), 0.95)).toEqual(launchInterval(units([1], [2], [4]), 0.95));
  });
  test('fewer than three have no interval', () => {
    expect(launchInterval(units([1, 2]), 0.95)).toBeNull();
    expect(launchInterval([], 0.95)).toBeNull();
  });
});

/** Protects the ratio of sums and its jackknife error, by numbers worked out by hand. */

const parts = (...sums: number[]) => sums.map((sum) => ({ sum, count: 10 }));

test('sums are divided, not ratios averaged', () => {
  const ratio = ratioOfSums(parts(100, 100, 400), parts(100, 100, 200));
  expect(ratio?.log).toBeCloseTo(Math.log(600 / 400), 12);
});

test('the error is that of the logarithms with each window left out: log 500/300, 500/300 and 200/200', () => {
  const without = [Math.log(5 / 3), Math.log(5 / 3), 0];
  const mean = (2 * Math.log(5 / 3)) / 3;
  const expected = Math.sqrt((2 / 3) * without.reduce((sum, log) => sum + (log - mean) ** 2, 0));
  expect(ratioOfSums(parts(100, 100, 400), parts(100, 100, 200))?.error).toBeCloseTo(expected, 12);
});

test('what both arms share in a window cancels', () => {
  expect(ratioOfSums(parts(120, 240, 60), parts(100, 200, 50))?.error).toBeCloseTo(0, 12);
});

test('two windows have no error, and a total of nothing no ratio', () => {
  expect(ratioOfSums(parts(120, 130), parts(100, 100))?.error).toBeNull();
  expect(ratioOfSums(parts(0, 0, 0), parts(100, 100, 100))).toBeNull();
  expect(ratioOfSums([], [])).toBeNull();
});

test('swapping the arms negates it', () => {
  const [one, other] = [parts(130, 110, 170), parts(100, 90, 140)];
  expect(ratioOfSums(one, other)?.log).toBeCloseTo(-(ratioOfSums(other, one)?.log ?? Number.NaN), 12);
});

/** Protects the median of clustered values and its error. */

/** By the polar method. */
function normals(count: number): number[] {
  const draw = drawsOf(3);
  return Array.from({ length: count }, () => {
    const radius = Math.sqrt(-2 * Math.log(1 - draw()));
    return radius * Math.cos(2 * Math.PI * draw());
  });
}

const clustersOf = (values: readonly number[], size: number) =>
  Array.from({ length: values.length / size }, (_, index) => values.slice(index * size, (index + 1) * size));

test('it is the median of all values, whatever their clusters', () => {
  expect(clusteredMedian([[5], [1, 9], []])?.median).toBe(5);
  expect(
    clusteredMedian([
      [1, 2],
      [3, 4],
    ])?.median,
  ).toBe(2.5);
});

test('nothing has no median, and fewer than twelve values no error', () => {
  expect(clusteredMedian([[], []])).toBeNull();
  expect(clusteredMedian([[1, 2, 3]])).toEqual({ median: 2, error: null });
});

test('of independent normal values the error is about √(π/2) of the mean’s', () => {
  const { error } = clusteredMedian(clustersOf(normals(2000), 20)) ?? {};
  expect((error ?? 0) / (Math.sqrt(Math.PI / 2) / Math.sqrt(2000))).toBeCloseTo(1, 0);
});

test('values that a cluster shares count as one: the error of 100 clusters of 20 alike is that of 100 values', () => {
  const means = normals(100);
  const alike = means.map((mean) => Array.from({ length: 20 }, (_, index) => mean + index * 1e-6));
  const single = clusteredMedian(means.map((mean) => [mean]))?.error ?? 0;
  expect((clusteredMedian(alike)?.error ?? 0) / single).toBeCloseTo(1, 0);
});

test('adding a constant moves the median alone', () => {
  const clusters = clustersOf(normals(60), 6);
  const moved = clusters.map((values) => values.map((value) => value + 7));
  expect(clusteredMedian(moved)?.median).toBeCloseTo((clusteredMedian(clusters)?.median ?? 0) + 7, 12);
  expect(clusteredMedian(moved)?.error).toBeCloseTo(clusteredMedian(clusters)?.error ?? 0, 12);
});

/** Protects intervals by leaving out one unit at a time. */

const values = [3, 5, 4, 8, 6];
const meanWithout = (left: Left) => meanOf(values.filter((_, index) => index !== left));

test('of a mean it is Student’s interval: 5.2 ± 2.776 · √(14.8/4/5)', () => {
  const [mean] = jackknife(5, (left) => [meanWithout(left)]);
  expect(mean?.center).toBeCloseTo(5.2, 12);
  expect(mean?.reach).toBeCloseTo(2.7764451 * Math.sqrt(14.8 / 20), 6);
});

test('estimates go together, and each has its own interval', () => {
  const [mean, twice] = jackknife(5, (left) => [meanWithout(left), 2 * meanWithout(left)]);
  expect(twice?.reach).toBeCloseTo(2 * (mean?.reach ?? 0), 12);
});

test('where one unit decides whether there is an estimate, there is no interval', () => {
  const [found] = jackknife(5, (left) => [left === 3 ? Number.NaN : 1]);
  expect(found).toEqual({ center: 1, reach: null });
  expect(found === undefined ? null : estimateOf(found)).toBeNull();
  expect(estimateOf({ center: Number.NaN, reach: 1 })).toBeNull();
});

/** Protects the Hodges-Lehmann estimate. */

test('Walsh averages are the means of every pair, each value with itself included', () => {
  expect([...walshAverages([1, 2, 6])]).toEqual([1, 1.5, 2, 3.5, 4, 6]);
});

test('the estimate is the median of the Walsh averages, and one wild block hardly moves it', () => {
  expect(hodgesLehmann([1, 2, 6])).toBe(2.75);
  const quiet = hodgesLehmann([1, 2, 3, 4, 5, 6, 7]);
  expect(quiet).toBe(4);
  expect(hodgesLehmann([1, 2, 3, 4, 5, 6, 7000])).toBeLessThan(5.1);
});

test('turning the differences round turns the estimate round', () => {
  expect(hodgesLehmann([-1, -2, -6])).toBe(-2.75);
});
