/** Protects random effects over launches: the figures of R’s lme4, nlme and lmerTest, and when launches are said to differ. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { drawNormal } from '../../testing/draws.ts';
import { drawsOf } from './random.ts';
import { fitLaunches, launchesDiffer, launchesOf, type Unit, varianceOfLaunches } from './random-effects.ts';

type Case = {
  name: string;
  units: Unit[];
  prior?: { variance: number; degrees: number };
  center: number;
  standardError: number;
  /** By the expected information. */
  degrees: number;
  nlme?: { center: number; standardError: number };
  lmerTestDegrees?: number;
};
const cases: Case[] = JSON.parse(readFileSync(new URL('reference/r.json', import.meta.url), 'utf8')).cases;
const units = (...launches: number[][]): Unit[] =>
  launches.flatMap((values, launch) => values.map((value) => ({ launch, value })));

describe('as in R', () => {
  test.each(cases)('$name', (given) => {
    const found = fitLaunches(launchesOf(given.units), given.prior ?? null);
    expect(found?.center).toBeCloseTo(given.center, 7);
    expect((found?.standardError ?? 0) / given.standardError).toBeCloseTo(1, 5);
    expect((found?.degrees ?? 0) / given.degrees).toBeCloseTo(1, 3);
    if (given.nlme === undefined) return;
    // nlme stops a little off a variance of zero.
    expect(found?.center).toBeCloseTo(given.nlme.center, 4);
    expect((found?.standardError ?? 0) / given.nlme.standardError).toBeCloseTo(1, 2);
  });
  test('lmerTest, which takes the observed information, is near; where launches do not differ it trusts that they never do', () => {
    const found = cases.flatMap(({ name, degrees, lmerTestDegrees }) =>
      lmerTestDegrees === undefined ? [] : [{ name, quotient: degrees / lmerTestDegrees }],
    );
    const isZero = ({ name }: { name: string }) => /less than|without any/.test(name);
    for (const { quotient } of found.filter((each) => !isZero(each))) {
      expect(Math.abs(Math.log(quotient))).toBeLessThan(0.15);
    }
    expect(found.filter(isZero).map(({ quotient }) => quotient < 0.2)).toEqual([true, true]);
  });
});

describe('what is left of either part', () => {
  test('one unit a launch is Student’s over the launches, and earlier degrees are averaged in', () => {
    // Variance 7/3 with two degrees; (4 · 1 + 2 · 7/3) / 6 = 13/9.
    const launches = launchesOf(units([1], [2], [4]));
    expect(fitLaunches(launches, null)).toMatchObject({
      ...{ standardError: expect.closeTo(Math.sqrt(7 / 9), 12), degrees: 2 },
    });
    const moderated = fitLaunches(launches, { variance: 1, degrees: 4 });
    expect(moderated?.standardError).toBeCloseTo(Math.sqrt(13 / 27), 12);
    expect(moderated?.degrees).toBe(6);
  });
  test('one launch is Student’s over its samples, and has what lies between launches from elsewhere', () => {
    const launches = launchesOf(units([1, 2, 4]));
    expect(fitLaunches(launches, null)).toMatchObject({
      ...{ standardError: expect.closeTo(Math.sqrt(7 / 9), 12), degrees: 2 },
    });
    const moderated = fitLaunches(launches, { variance: 1, degrees: 4 });
    expect(moderated?.standardError).toBeCloseTo(Math.sqrt(7 / 9 + 1), 12);
    expect(moderated?.degrees).toBeCloseTo((16 / 9) ** 2 / ((7 / 9) ** 2 / 2 + 1 / 4), 9);
  });
  test('a single sample has no error, unless earlier runs know one', () => {
    expect(fitLaunches(launchesOf(units([1])), null)).toBeNull();
    expect(fitLaunches(launchesOf(units([1])), { variance: 4, degrees: 3 })).toEqual({
      ...{ center: 1, standardError: 2, degrees: 3 },
    });
  });
  test('without spread it is a point', () => {
    expect(fitLaunches(launchesOf(units([2, 2], [2, 2])), null)).toMatchObject({
      center: 2,
      standardError: 0,
    });
  });
});

test('a launch’s variance is that of its mean, with what its samples explain, and not cut at zero', () => {
  const apart = varianceOfLaunches(launchesOf(units([1, 3], [5, 7])));
  expect(apart).toEqual({ variance: 8, bySamples: 1, degrees: 1 });
  expect(varianceOfLaunches(launchesOf(units([1, 3], [1, 3])))).toEqual({
    variance: 0,
    bySamples: 1,
    degrees: 1,
  });
  expect(varianceOfLaunches(launchesOf(units([1, 3]))).degrees).toBe(0);
});

describe('neighbors that are alike', () => {
  const walk = (seed: number, alike: number, count: number) => {
    const draw = drawsOf(seed);
    const values = [drawNormal(draw)];
    while (values.length < count) {
      values.push(alike * (values.at(-1) ?? 0) + Math.sqrt(1 - alike ** 2) * drawNormal(draw));
    }
    return values;
  };
  const independentOf = (alike: number) => {
    const sizes = Array.from(
      { length: 300 },
      (_, seed) => launchesOf(units(walk(seed, alike, 200))).sizes[0] ?? 0,
    );
    return sizes.reduce((sum, size) => sum + size, 0) / sizes.length / 200;
  };
  test('count for fewer, about (1 − r) ÷ (1 + r) of them', () => {
    expect(independentOf(0.3)).toBeGreaterThan(0.5);
    expect(independentOf(0.3)).toBeLessThan(0.6);
    expect(independentOf(0)).toBeGreaterThan(0.9);
    expect(independentOf(-0.3)).toBe(1);
  });
  test('are not looked for in fewer than ten samples', () => {
    expect(launchesOf(units([1, 2, 3, 4, 5, 6, 7, 8, 9])).sizes).toEqual([9]);
    expect(launchesOf(units([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])).sizes[0]).toBeCloseTo(2.5, 9);
  });
});

describe('launches differ', () => {
  // Means 0 and d of two samples each, one degree each way but two within: F = d² with 1 and 2 degrees.
  const two = (d: number) => units([-1, 1], [d - 1, d + 1]);
  test('where P(F) is below 1 %: 98.503 with 1 and 2 degrees', () => {
    expect(launchesDiffer(two(Math.sqrt(98.6 * 2)))).toBe(true);
    expect(launchesDiffer(two(Math.sqrt(98.4 * 2)))).toBe(false);
  });
  test('by more than launches usually do, where that is known', () => {
    const usual = { variance: 400, degrees: 4 };
    expect(launchesDiffer(two(20), null)).toBe(true);
    expect(launchesDiffer(two(20), usual)).toBe(false);
    expect(launchesDiffer(two(200), usual)).toBe(true);
  });
  test('never of one launch, or of one sample each without a prior', () => {
    expect(launchesDiffer(units([1, 9, 1, 9]))).toBe(false);
    expect(launchesDiffer(units([1], [100]))).toBe(false);
    expect(launchesDiffer(units([1, 1], [2, 2]))).toBe(true);
    expect(launchesDiffer([])).toBe(false);
  });
});
