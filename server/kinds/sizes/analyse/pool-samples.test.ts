/** Protects the points of a round: every request counts once, the twin is http, and unknown CPU is not zero. */
import { expect, test } from 'vitest';
import { poolSamples, type SizeSample } from './pool-samples.ts';

const arm = (timesUs: number[], cpuUs: number | null) => ({ timesUs, transactions: timesUs.length, cpuUs });

const sample = (suite: number, change: Partial<SizeSample['arms']> = {}): SizeSample => ({
  ...{ size: 1000, suite, busyUs: null },
  arms: { baseline: arm([10, 20], 8), comparison: arm([30], 9), twin: arm([30], 4), ...change },
});

test('baseline and twin of every suite are one http, and each suite is an arm', () => {
  const points = poolSamples([sample(0), sample(1, { comparison: arm([50, 70], 30) })]);
  expect(
    points.map(({ arm, transactions, medianUs, cpuUs }) => [arm, transactions, medianUs, cpuUs]),
  ).toEqual([
    ['http', 6, 20, 4],
    [0, 1, 30, 9],
    [1, 2, 60, 15],
  ]);
});

test('visits to one size are taken together, to different sizes apart', () => {
  const points = poolSamples([sample(0), sample(0), { ...sample(0), size: 2000 }]);
  expect(points.filter(({ arm }) => arm === 0).map(({ size, transactions }) => [size, transactions])).toEqual(
    [
      [1000, 2],
      [2000, 1],
    ],
  );
});

test('CPU that is not known of one part is not known of the whole', () => {
  const [http] = poolSamples([sample(0), sample(0, { twin: arm([30], null) })]);
  expect(http?.cpuUs).toBeNull();
});
