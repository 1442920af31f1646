/** Protects what a run borrows of earlier ones: how far launches differ, and what moves between runs of one question. */
import { expect, test } from 'vitest';
import type { RunOfQuestion } from '../../../../shared/kinds/comparison/past.ts';
import { sampleAtLoad } from '../../../../shared/testing/sample-at-load.ts';
import { fitBetweenLaunches } from '../../../method/statistics/moderated-variance.ts';
import { betweenLaunchesPriors, betweenRunsPriors } from './past-of-runs.ts';
import { shippedBetweenLaunches, shippedBetweenRuns } from './shipped-priors.ts';

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
const run = (place: number, center: number, change: Partial<RunOfQuestion> = {}): RunOfQuestion => ({
  ...{ ...made, id: `${place}`.padEnd(22, 'q'), createdAt: place },
  metrics: { cpu_at_load: { center, error: 0.003, widened: 0, baseline: 14 } },
  ...change,
});
const usual = shippedBetweenRuns('cpu_at_load', 'origins')?.variance ?? 0;
const priorsOf = (earlier: RunOfQuestion[]) => betweenRunsPriors(made, earlier, 'origins');

test('what moves between runs comes from three of them that are alike', () => {
  const moving = [0.3, 0.36, 0.31, 0.37].map((center, place) => run(place, center));
  const prior = priorsOf(moving).cpu_at_load;
  expect(prior).toMatchObject({ runs: 4, from: 'history', degrees: 6 });
  expect(prior?.variance).toBeGreaterThan(2 * usual);
  expect(priorsOf(moving.slice(2))).toEqual({});
});

test('runs that happen to agree leave half of what is usual, not none', () => {
  const calm = Array.from({ length: 9 }, (_, place) => run(place, 0.3));
  const few = priorsOf(calm.slice(0, 3)).cpu_at_load;
  expect(few?.variance).toBeGreaterThan(usual / 2);
  // Three runs alone have two degrees of freedom, and a quantile of 4.3.
  expect(few?.degrees).toBe(5);
  const many = priorsOf(calm).cpu_at_load;
  expect(many?.variance).toBeLessThan(few?.variance ?? 0);
  expect(many?.degrees).toBe(8);
});

test('a run of another machine, at another load, or before a step, tells nothing', () => {
  const calm = Array.from({ length: 4 }, (_, place) => run(place + 4, 0.3));
  const alone = priorsOf(calm);
  const foreign = [0.1, 0.9, 0.5].map((center, place) => run(place, center, { machine: 'other' }));
  expect(priorsOf([...foreign, ...calm])).toEqual(alone);
  const others = [{ ...sampleAtLoad, users: 16 }, null].flatMap((atLoad) =>
    [0.1, 0.9, 0.5].map((center, place) => run(place, center, { atLoad })),
  );
  expect(priorsOf([...others, ...calm])).toEqual(alone);
  expect(priorsOf([...calm, ...others])).toEqual(alone);
  const earlierLevel = [0.6, 0.6, 0.6, 0.6].map((center, place) => run(place, center));
  expect(priorsOf([...earlierLevel, ...calm])).toEqual(alone);
});
