/** Protects the pooled figure: which earlier runs are in it and why others are not, and that it never looks ahead. */

import { expect, test } from 'vitest';
import type { RunOfQuestion } from '../../../shared/kinds/comparison/past.ts';
import { sampleAtLoad } from '../../../shared/testing/sample-at-load.ts';
import { fitBetweenLaunches } from '../../method/statistics/distributions.ts';
import { sampleRun } from '../../testing/sample-run.ts';
import {
  betweenLaunchesPriors,
  betweenRunsPriors,
  pooledPartsOf,
  poolOfRun,
  shippedBetweenLaunches,
  shippedBetweenRuns,
} from './run-pool.ts';

const day = 24 * 3600 * 1000;
const start = Date.UTC(2026, 10, 20);
const idOf = (place: number) => `${place}`.padEnd(22, 'p');

const server = { title: 'nginx', version: '1.24.0', tlsLibrary: 'OpenSSL 3.0.19' };
const negotiated = { protocol: 'TLSv1.3', cipher: 'TLS_AES_256_GCM_SHA384', group: 'X25519' };
const plain = { server, negotiated: null };
const secure = { server, negotiated };
type MadeSide = RunOfQuestion['sides']['baseline'];
const withComparison = (change: Partial<MadeSide>): Partial<RunOfQuestion> => ({
  sides: { baseline: plain, comparison: { ...secure, ...change } },
});
const withBaselineServer = (change: Partial<typeof server>): Partial<RunOfQuestion> => ({
  sides: { baseline: { ...plain, server: { ...server, ...change } }, comparison: secure },
});

/** @param percent that HTTPS adds to CPU */
function run(place: number, percent: number, change: Partial<RunOfQuestion> = {}): RunOfQuestion {
  const cpu = {
    center: Math.log(1 + percent / 100),
    error: 0.005,
    widened: 0,
    baseline: 14,
    difference: { center: 0.14 * percent, error: 0.07 },
  };
  return {
    ...{ id: idOf(place), createdAt: start + place * day },
    ...{
      machine: 'this',
      cpuModel: 'CPU',
      cores: 2,
      kernel: '6.1',
      beside: [],
      departed: null,
      atLoad: sampleAtLoad,
    },
    ...{ sides: { baseline: plain, comparison: secure }, metrics: { cpu_at_load: cpu } },
    ...change,
  };
}

const withLoad = (users: number, ratePerS: number | null = null): Partial<RunOfQuestion> => ({
  atLoad: { ...sampleAtLoad, users, ratePerS },
});
const withBaseline = (baseline: number): Partial<RunOfQuestion> => ({
  metrics: {
    cpu_at_load: {
      ...{ center: Math.log(1.43), error: 0.005, widened: 0, baseline },
      difference: { center: 0.43 * baseline, error: 0.07 },
    },
  },
});
const pool = (own: RunOfQuestion, earlier: RunOfQuestion[]) =>
  poolOfRun(own, earlier, { tolerance: 0.05, target: 'origins' });

test('five runs are one answer, narrower than each and about the same', () => {
  const earlier = [42.8, 42.8, 43.8, 43.6].map((percent, place) => run(place, percent));
  const found = pool(run(4, 42.2), earlier);
  const cpu = found?.metrics.cpu_at_load;
  expect(cpu?.runs).toEqual([0, 1, 2, 3, 4].map(idOf));
  expect(cpu?.outcome).toBe('overhead');
  expect(cpu?.ratio.center).toBeCloseTo(1.43, 2);
  expect(cpu?.ratio.lo).toBeGreaterThan(1.41);
  expect(cpu?.ratio.hi).toBeLessThan(1.45);
  expect(found?.leftOut).toEqual([]);
});

test('a run without an earlier one has no pool, nor has one without a primary metric', () => {
  expect(pool(run(4, 42), [])).toBeNull();
  expect(pool(run(4, 42, { metrics: {} }), [run(1, 43)])).toBeNull();
});

test.each<[Partial<RunOfQuestion>, string]>([
  [{ machine: 'other' }, 'another machine'],
  [{ machine: null }, 'another machine'],
  [{ cpuModel: 'Other' }, 'another CPU'],
  [{ cores: 1 }, '1 core instead of 2'],
  [{ kernel: '6.12' }, 'another kernel'],
  [{ beside: ['node'] }, 'node instead of no other program'],
  [
    { departed: 'keep-alive was planned; the server closed each' },
    'keep-alive was planned; the server closed each',
  ],
  [withComparison({ server: { ...server, version: '1.22.1' } }), 'nginx 1.22.1 instead of 1.24.0'],
  [withBaselineServer({ version: '1.22.1' }), 'nginx 1.22.1 instead of 1.24.0'],
  [withBaselineServer({ title: 'Node' }), 'Node instead of nginx'],
  [
    withComparison({ server: { ...server, tlsLibrary: 'OpenSSL 1.1.1' } }),
    'OpenSSL 1.1.1 instead of OpenSSL 3.0.19',
  ],
  [withComparison({ negotiated: null }), 'no TLS instead of TLS 1.3'],
  [withComparison({ negotiated: { ...negotiated, protocol: 'TLSv1.2' } }), 'TLS 1.2 instead of TLS 1.3'],
  [
    withComparison({ negotiated: { ...negotiated, cipher: 'TLS_AES_128_GCM_SHA256' } }),
    'AES-128-GCM instead of AES-256-GCM',
  ],
  [withComparison({ negotiated: { ...negotiated, group: 'X448' } }), 'X448 instead of X25519'],
  [{ metrics: {} }, 'it says nothing of this metric'],
])('an earlier run with %j is left out: %s', (change, reason) => {
  const found = pool(run(2, 43), [run(0, 42, change), run(1, 43)]);
  expect(found?.leftOut).toEqual([{ id: idOf(0), reason }]);
  expect(found?.metrics.cpu_at_load?.runs).toEqual([idOf(1), idOf(2)]);
});

test('a run at another load, or at an unknown one, is left out', () => {
  const earlier = [
    run(0, 42, withLoad(16)),
    run(1, 43, withLoad(8)),
    run(2, 43, { atLoad: null }),
    run(3, 43, withLoad(8, 2000)),
  ];
  const found = pool(run(4, 43, withLoad(8)), earlier);
  expect(found?.leftOut).toEqual([
    { id: idOf(0), reason: '16 users instead of 8 users' },
    { id: idOf(2), reason: 'at an unknown load' },
    { id: idOf(3), reason: '2,000 transactions/s of 8 users instead of 8 users' },
  ]);
  expect(found?.metrics.cpu_at_load?.runs).toEqual([idOf(1), idOf(4)]);
});

test('the difference pools runs with a baseline within a quarter, the ratio all of them', () => {
  const earlier = [14 * 0.62, 14 * 0.76, 14 * 1.24, 14 * 1.26].map((baseline, place) =>
    run(place, 43, withBaseline(baseline)),
  );
  const found = pool(run(4, 43), earlier);
  expect(found?.leftOut).toEqual([]);
  const { runs, difference } = found?.metrics.cpu_at_load ?? {};
  expect(runs).toHaveLength(5);
  expect(difference?.runs).toBe(3);
  expect(difference?.center).toBeCloseTo(0.43 * 14, 1);
  const alone = pool(run(1, 43), [run(0, 43, withBaseline(14 * 2))]);
  expect(alone?.metrics.cpu_at_load).not.toHaveProperty('difference');
});

test('machines that are not known are not the same', () => {
  const found = pool(run(2, 43, { machine: null }), [run(0, 43, { machine: null })]);
  expect(found).toEqual({ metrics: {}, leftOut: [{ id: idOf(0), reason: 'another machine' }] });
});

test('what came before the last step is left out, with the day of the step', () => {
  const before = [43, 43.2, 42.9, 43.1].map((percent, place) => run(place, percent));
  const after = [21, 21.2, 20.9].map((percent, place) => run(place + 4, percent));
  const found = pool(run(7, 21.1), [...before, ...after]);
  expect(found?.metrics.cpu_at_load?.runs).toEqual([4, 5, 6, 7].map(idOf));
  expect(found?.leftOut.map(({ reason }) => reason)).toEqual(Array(4).fill('before the step of 24 Nov'));
});

test('one odd run is no step, and widens the pool', () => {
  const calm = pool(run(4, 43), [run(0, 43), run(1, 43), run(2, 43.1), run(3, 43)]);
  const odd = pool(run(4, 43), [run(0, 43), run(1, 43), run(2, 55), run(3, 43)]);
  const width = (found: typeof odd) => {
    const ratio = found?.metrics.cpu_at_load?.ratio;
    return (ratio?.hi ?? 0) - (ratio?.lo ?? 0);
  };
  expect(odd?.metrics.cpu_at_load?.runs).toHaveLength(5);
  expect(width(odd)).toBeGreaterThan(2 * width(calm));
});

test('two runs that disagree are about as far apart as they say, and no nonsense', () => {
  const ratio = pool(run(1, 60), [run(0, 40)])?.metrics.cpu_at_load?.ratio;
  expect(ratio?.lo).toBeGreaterThan(1.3);
  expect(ratio?.lo).toBeLessThan(1.4);
  expect(ratio?.hi).toBeGreaterThan(1.6);
  expect(ratio?.hi).toBeLessThan(1.7);
});

test('a run whose interval was widened counts for less', () => {
  const doubtful = run(1, 60);
  doubtful.metrics.cpu_at_load = {
    ...{ center: Math.log(1.6), error: 0.005, baseline: 14 },
    widened: 0.5,
  };
  const ratio = pool(run(2, 43), [doubtful])?.metrics.cpu_at_load?.ratio;
  expect(ratio?.center).toBeCloseTo(1.43, 2);
  expect(pool(run(2, 43), [run(1, 60)])?.metrics.cpu_at_load?.ratio.center).toBeGreaterThan(1.48);
});

test('what several runs show to be too little to matter is none', () => {
  const runs = [0.4, -0.2, 0.1].map((percent, place) => run(place, percent));
  expect(pool(run(3, 0.2), runs)?.metrics.cpu_at_load?.outcome).toBe('no_overhead');
});

test('of a run come the primary metrics that it did not refuse, with their errors', () => {
  const { metrics } = sampleRun();
  const parts = pooledPartsOf(metrics);
  expect(Object.keys(parts).toSorted()).toEqual(['cpu_at_load', 'latency_p50', 'throughput']);
  const cpu = metrics.find(({ id }) => id === 'cpu_at_load');
  expect(parts.cpu_at_load).toMatchObject({
    error: cpu?.precision?.withinError,
    baseline: cpu?.baseline?.center,
  });
  expect(Math.exp(parts.cpu_at_load?.center ?? 0)).toBeCloseTo(cpu?.ratio?.center ?? 0, 9);
  expect(pooledPartsOf(metrics.map((row) => ({ ...row, outcome: 'refused' })))).toEqual({});
});

/** Protects what a run borrows of earlier ones: how far launches differ, and what moves between runs of one question. */

const cpu = (variance: number, degrees = 1) => ({
  ...{ metric: 'cpu_at_load' as const, variance, bySamples: 0.00005, degrees },
});
const launchesOf = (found: Parameters<typeof betweenLaunchesPriors>[0]) =>
  betweenLaunchesPriors(found, 'storefront');

test('what lies between launches comes from three runs or more and what is usual, and the prior says how many', () => {
  const variances = [0.0001, 0.0002, 0.00015].map((variance) => cpu(variance));
  const usualOfLaunches = shippedBetweenLaunches('cpu_at_load', 'storefront');
  expect(launchesOf(variances)).toEqual({
    cpu_at_load: { ...fitBetweenLaunches(variances, usualOfLaunches), runs: 3, from: 'history' },
  });
  expect(launchesOf(variances.slice(1))).toEqual({});
});

test('the newest thirty runs count, per metric, and none without two launches', () => {
  const newest = Array.from({ length: 30 }, () => cpu(0.00015));
  const older = Array.from({ length: 9 }, () => cpu(1));
  expect(launchesOf([...newest, ...older]).cpu_at_load?.variance).toBeCloseTo(
    fitBetweenLaunches(newest, shippedBetweenLaunches('cpu_at_load', 'storefront'))?.variance ?? 0,
    9,
  );
  const other = { ...cpu(0.01), metric: 'throughput' as const };
  expect(launchesOf([...newest, other, other]).throughput).toBeUndefined();
  expect(launchesOf([cpu(0.0001), cpu(0.0001), cpu(0, 0)])).toEqual({});
});

const made = {
  atLoad: sampleAtLoad,
  ...{ machine: 'this', cpuModel: 'CPU', cores: 2, kernel: '6.1', beside: [], departed: null },
  sides: {
    baseline: { server: null, negotiated: null },
    comparison: {
      server: null,
      negotiated: { protocol: 'TLSv1.3', cipher: 'TLS_AES_256_GCM_SHA384', group: null },
    },
  },
};
const runsRun = (place: number, center: number, change: Partial<RunOfQuestion> = {}): RunOfQuestion => ({
  ...{ ...made, id: `${place}`.padEnd(22, 'q'), createdAt: place },
  metrics: { cpu_at_load: { center, error: 0.003, widened: 0, baseline: 14 } },
  ...change,
});
const usual = shippedBetweenRuns('cpu_at_load', 'origins')?.variance ?? 0;
const priorsOf = (earlier: RunOfQuestion[]) => betweenRunsPriors(made, earlier, 'origins');

test('what moves between runs comes from three of them that are alike', () => {
  const moving = [0.3, 0.36, 0.31, 0.37].map((center, place) => runsRun(place, center));
  const prior = priorsOf(moving).cpu_at_load;
  expect(prior).toMatchObject({ runs: 4, from: 'history', degrees: 6 });
  expect(prior?.variance).toBeGreaterThan(2 * usual);
  expect(priorsOf(moving.slice(2))).toEqual({});
});

test('runs that happen to agree leave half of what is usual, not none', () => {
  const calm = Array.from({ length: 9 }, (_, place) => runsRun(place, 0.3));
  const few = priorsOf(calm.slice(0, 3)).cpu_at_load;
  expect(few?.variance).toBeGreaterThan(usual / 2);
  // Three runs alone have two degrees of freedom, and a quantile of 4.3.
  expect(few?.degrees).toBe(5);
  const many = priorsOf(calm).cpu_at_load;
  expect(many?.variance).toBeLessThan(few?.variance ?? 0);
  expect(many?.degrees).toBe(8);
});

test('a run of another machine, at another load, or before a step, tells nothing', () => {
  const calm = Array.from({ length: 4 }, (_, place) => runsRun(place + 4, 0.3));
  const alone = priorsOf(calm);
  const foreign = [0.1, 0.9, 0.5].map((center, place) => runsRun(place, center, { machine: 'other' }));
  expect(priorsOf([...foreign, ...calm])).toEqual(alone);
  const others = [{ ...sampleAtLoad, users: 16 }, null].flatMap((atLoad) =>
    [0.1, 0.9, 0.5].map((center, place) => runsRun(place, center, { atLoad })),
  );
  expect(priorsOf([...others, ...calm])).toEqual(alone);
  expect(priorsOf([...calm, ...others])).toEqual(alone);
  const earlierLevel = [0.6, 0.6, 0.6, 0.6].map((center, place) => runsRun(place, center));
  expect(priorsOf([...earlierLevel, ...calm])).toEqual(alone);
});
