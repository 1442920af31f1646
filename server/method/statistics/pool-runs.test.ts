/** Protects random effects over launches: the figures of R’s lme4, nlme and lmerTest, and when launches are said to differ. */

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { drawNormal } from '../../testing/draws.ts';
import {
  fitLaunches,
  launchesDiffer,
  launchesOf,
  poolRuns,
  type Unit,
  varianceOfLaunches,
} from './pool-runs.ts';
import { drawsOf } from './random.ts';

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

/** Protects the pooled figure of several runs: metafor’s numbers, and that more runs do not end in a wider interval. */

/** The BCG vaccine trials of metafor (dat.bcg), log relative risk and its standard error by escalc(measure = "RR"). */
const trials = [
  [-0.8893113339, 0.5706003549],
  [-1.5853886572, 0.4411135017],
  [-1.3480731483, 0.6444904696],
  [-1.44155119, 0.1414568199],
  [-0.2175473222, 0.2262966464],
  [-0.7861155858, 0.0831000509],
  [-1.6208982236, 0.4722470197],
  [0.0119523335, 0.062941078],
  [-0.4694176487, 0.2375588568],
  [-1.3713448035, 0.2702310005],
  [-0.3393588283, 0.1114101161],
  [0.4459134006, 0.729729981],
  [-0.0173139482, 0.2672165034],
].map(([center = 0, error = 0]) => ({ center, error }));

describe('without a prior', () => {
  test('it is metafor’s restricted maximum likelihood with the interval of Knapp and Hartung', () => {
    // metafor: rma(yi, vi, data = dat, test = "knha"): tau² 0.3132, −0.7145, se 0.1808, −1.1084 to −0.3206; more digits by
    // maximizing the restricted likelihood with scipy 1.17.1.
    const pooled = poolRuns(trials);
    expect(pooled?.between).toBeCloseTo(0.3132433, 6);
    expect(pooled?.center).toBeCloseTo(-0.71453234, 6);
    expect(pooled?.standardError).toBeCloseTo(0.18079174, 6);
    expect(pooled?.lo).toBeCloseTo(-1.10844371, 6);
    expect(pooled?.hi).toBeCloseTo(-0.32062097, 6);
    expect(pooled).toMatchObject({ degrees: 12, runs: 13 });
  });
  test('runs closer together than their errors allow are no surer than their errors', () => {
    const pooled = poolRuns([0.1, 0.1001, 0.1002].map((center) => ({ center, error: 0.01 })));
    expect(pooled?.between).toBe(0);
    expect(pooled?.standardError).toBeCloseTo(0.01 / Math.sqrt(3), 12);
  });
  test('runs that claim no error are averaged by their spread', () => {
    // 1, 2 and 4: variance 7/3, Student's with two degrees.
    const pooled = poolRuns([1, 2, 4].map((center) => ({ center, error: 0 })));
    expect(pooled?.between).toBeCloseTo(7 / 3, 9);
    expect(pooled?.hi).toBeCloseTo(7 / 3 + 4.302653 * Math.sqrt(7 / 9), 5);
  });
});

describe('with a prior of what moves between runs', () => {
  const prior = { variance: 4e-4, degrees: 4 };
  test('two runs are surer together than one alone', () => {
    const two = [0.4, 0.41].map((center) => ({ center, error: 0.01 }));
    const pooled = poolRuns(two, prior);
    // (4 · 4e-4 + 0) / 5 between; error² (1e-4 + 3.2e-4) / 2; Student's with five degrees, 2.570582.
    expect(pooled?.between).toBeCloseTo(3.2e-4, 12);
    expect(pooled?.hi).toBeCloseTo(0.405 + 2.570582 * Math.sqrt(2.1e-4), 7);
    const alone = 2.7 * Math.sqrt(1e-4 + 4e-4);
    expect((pooled?.hi ?? 1) - 0.405).toBeLessThan(alone);
    expect((poolRuns(two)?.hi ?? 0) - 0.405).toBeGreaterThan(alone);
  });
  test('runs that lie far apart widen it with the degrees of both, so that two of them still say something', () => {
    const apart = [0.3, 0.5].map((center) => ({ center, error: 0.01 }));
    const pooled = poolRuns(apart, prior);
    // Their variance of 0.02 less error² is between: (4 · 4e-4 + 0.0199) / 5; Student's with five degrees.
    expect(pooled?.between).toBeCloseTo(0.0043, 6);
    expect(pooled?.hi).toBeCloseTo(0.4 + 2.570582 * Math.sqrt((0.0043 + 1e-4) / 2), 5);
    expect(poolRuns(apart)?.hi).toBeGreaterThan(1.5);
  });
  test('it covers the truth in 94 % of the cases at least', () => {
    for (const count of [2, 5]) {
      let covered = 0;
      const cases = 1500;
      for (let seed = 1; seed <= cases; seed++) {
        const draw = drawsOf(Math.imul(seed, 0x9e3779b1));
        const runs = Array.from({ length: count }, () => ({
          center: 0.02 * drawNormal(draw) + 0.01 * drawNormal(draw),
          error: 0.01,
        }));
        const pooled = poolRuns(runs, prior);
        if (pooled !== null && pooled.lo <= 0 && pooled.hi >= 0) covered++;
      }
      expect(covered / cases).toBeGreaterThan(0.94);
    }
  });
});

test('one run is not pooled', () => {
  expect(poolRuns([{ center: 1, error: 0.1 }])).toBeNull();
  expect(poolRuns([])).toBeNull();
});
