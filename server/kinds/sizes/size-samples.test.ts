/** Protects the points of a round: every request counts once, the twin is http, and unknown CPU is not zero. */

import { expect, test } from 'vitest';
import { sizesRequestSchema } from '../../../shared/kinds/sizes/sizes.ts';
import { sampleSizes } from '../../testing/sample-sizes.ts';
import {
  type LoadSample,
  type LoneSample,
  poolSamples,
  type RoundSamples,
  twinRatios,
} from './size-samples.ts';
import { burstMs, loneVisits, sizesS, turnsOfRound, visitMs, wantsTurn } from './sizes-plan.ts';

const times = (...timesUs: number[]) => ({ timesUs });
const burst = (transactions: number, cpuUs: number | null) => ({ transactions, cpuUs, elapsedUs: 1000 });

const lone = (suite: number, change: Partial<LoneSample['arms']> = {}): LoneSample => ({
  ...{ size: 1000, suite },
  arms: { baseline: times(10, 20), comparison: times(30), twin: times(30), ...change },
});

const atLoad = (suite: number, change: Partial<LoadSample['arms']> = {}): LoadSample => ({
  ...{ size: 1000, suite },
  arms: { baseline: burst(90, 400), comparison: burst(50, 500), twin: burst(110, 600), ...change },
});

test('baseline and twin of every suite are one http, and each suite is an arm', () => {
  const points = poolSamples({
    lone: [lone(0), lone(1, { comparison: times(50, 70) })],
    atLoad: [atLoad(0), atLoad(1, { comparison: burst(10, 200) })],
  });
  expect(
    points.map(({ arm, transactions, medianUs, cpuUs, atLoad: load }) => [
      ...[arm, transactions, medianUs, cpuUs],
      ...[load?.transactions, load?.busyCores],
    ]),
  ).toEqual([
    ['http', 6, 20, 5, 400, 0.5],
    [0, 1, 30, 10, 50, 0.5],
    [1, 2, 60, 20, 10, 0.2],
  ]);
});

test('CPU is a ratio of sums over bursts: a burst that paid for garbage counts by its requests', () => {
  const [, secure] = poolSamples({
    lone: [lone(0)],
    atLoad: [atLoad(0, { comparison: burst(10, 900) }), atLoad(0, { comparison: burst(90, 900) })],
  });
  expect(secure?.cpuUs).toBe(18);
});

test('visits to one size are taken together, to different sizes apart', () => {
  const points = poolSamples({
    lone: [lone(0), lone(0), { ...lone(0), size: 2000 }],
    atLoad: [atLoad(0), { ...atLoad(0), size: 2000 }],
  });
  expect(
    points
      .filter(({ arm }) => arm === 0)
      .map(({ size, transactions, atLoad: load }) => [size, transactions, load?.transactions]),
  ).toEqual([
    [1000, 2, 50],
    [2000, 1, 50],
  ]);
});

test('CPU that is not known of one part is not known of the whole, nor how busy the server was', () => {
  const [http] = poolSamples({ lone: [lone(0)], atLoad: [atLoad(0, { twin: burst(100, null) })] });
  expect(http?.cpuUs).toBeNull();
  expect(http?.atLoad).toEqual({ transactions: 190, busyCores: null });
});

/** Protects the twin of a sweep over sizes: listeners that differ are measured as differing, and refuse the verdict. */

const round = (...visits: { size: number; twinUs: number; twinCpuUs?: number | null }[]): RoundSamples => ({
  lone: visits.map(({ size, twinUs }) => ({
    ...{ size, suite: 0 },
    arms: { baseline: { timesUs: [100] }, comparison: { timesUs: [900] }, twin: { timesUs: [twinUs] } },
  })),
  atLoad: visits.map(({ size, twinUs, twinCpuUs = twinUs / 2 }) => ({
    ...{ size, suite: 0 },
    arms: { baseline: ratiosBurst(50), comparison: ratiosBurst(450), twin: ratiosBurst(twinCpuUs) },
  })),
});

const ratiosBurst = (cpuUs: number | null) => ({ transactions: 1, cpuUs, elapsedUs: 1000 });

test('it is the geometric mean over the sizes, of the two http listeners only', () => {
  const { latency, cpu } = twinRatios(
    round({ size: 1000, twinUs: 200 }, { size: 2000, twinUs: 50, twinCpuUs: 25 }),
  );
  expect(latency).toBeCloseTo(1, 10);
  expect(cpu).toBeCloseTo(1, 10);
  expect(twinRatios(round({ size: 1000, twinUs: 110 })).latency).toBeCloseTo(1.1, 10);
});

test('CPU that cannot be read has no ratio', () => {
  expect(twinRatios(round({ size: 1000, twinUs: 110, twinCpuUs: null }))).toMatchObject({ cpu: null });
  expect(twinRatios(round())).toEqual({ latency: null, cpu: null });
});

test('a twin that is 4 % slower in every round refuses the verdict, one that is 0.4 % slower does not', () => {
  const withTwin = (latency: number) =>
    sampleSizes({
      change: (rounds) =>
        rounds.map((round, index) => ({
          ...round,
          twin: { latency: latency * (1 + 0.001 * (index % 2)), cpu: null },
        })),
    });
  const unlike = withTwin(1.04);
  expect(unlike.comparisons[0]?.verdict.outcome).toBe('refused');
  expect(unlike.comparisons[0]?.verdict.sentence).toContain('HTTP and its control differ by 4.1 %');
  expect(unlike.twinRatios.cpu).toBeNull();
  expect(withTwin(1.004).comparisons[0]?.verdict.outcome).toBe('overhead');
});

/** Protects how a sweep over sizes spends its time: two thirds at load, rounds of five seconds, and the whole as before. */

test('two thirds of a turn are at load', () => {
  const share = (3 * burstMs) / (3 * burstMs + loneVisits * visitMs);
  expect(share).toBeGreaterThan(0.6);
  expect(share).toBeLessThan(0.75);
});

test('the study’s 24 sizes take a minute and a half', () => {
  const s = sizesS(sizesRequestSchema.parse({ kind: 'sizes' }));
  expect(s).toBeGreaterThan(80);
  expect(s).toBeLessThan(100);
});

test('a round has at least one turn, and no more than its time allows', () => {
  expect(turnsOfRound(24)).toBe(2);
  expect(turnsOfRound(400)).toBe(1);
  expect(wantsTurn(0, 400, 60_000)).toBe(true);
  expect(wantsTurn(1, 24, 2300)).toBe(true);
  expect(wantsTurn(1, 24, 5100)).toBe(false);
  expect(wantsTurn(2, 24, 4600)).toBe(false);
});
