/** Protects the points of a round: every request counts once, the twin is http, and unknown CPU is not zero. */
import { expect, test } from 'vitest';
import { type LoadSample, type LoneSample, poolSamples } from './pool-samples.ts';

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
