/** Protects counted latencies: percentiles are those of an HdrHistogram of three digits. */

import fc from 'fast-check';
import { build } from 'hdr-histogram-js';
import { describe, expect, test } from 'vitest';
import { drawNormal } from '../../testing/draws.ts';
import {
  decodeHistogram,
  encodeHistogram,
  longestUs,
  mergeHistograms,
  newLatencyHistogram,
  percentileLadder,
  TimeCounts,
  tailRatio,
} from './latency-histogram.ts';
import { drawsOf } from './random.ts';

/** Seeded values over the whole range, many decades alike. */
function* someTimes(count: number): Generator<number> {
  let state = 12_345;
  for (let i = 0; i < count; i++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    yield Math.exp((state / 2 ** 32) * Math.log(longestUs));
  }
}

const percentiles = [0, 1, 25, 50, 90, 99, 99.9, 100];

test('percentiles are those of an HdrHistogram of three digits', () => {
  const counts = new TimeCounts();
  const reference = newLatencyHistogram();
  for (const us of someTimes(20_000)) {
    counts.record(us);
    reference.recordValue(Math.max(1, Math.round(us)));
  }
  for (const percent of percentiles.slice(0, -1)) {
    expect(counts.percentile(percent)).toBe(reference.getValueAtPercentile(percent));
  }
  expect(counts.count).toBe(reference.totalCount);
});

test('no value is off by more than a thousandth, and each µs up to 2 ms stands alone', () => {
  for (const us of someTimes(2000)) {
    const counts = new TimeCounts();
    counts.record(us);
    counts.record(longestUs);
    const value = Math.max(1, Math.round(us));
    const told = counts.percentile(1);
    expect(Math.abs(told - value) / value).toBeLessThanOrEqual(0.001);
    if (value < 2048) expect(told).toBe(value);
  }
});

test('counts of several processes add up to those of one', () => {
  const whole = new TimeCounts();
  const parts = [new TimeCounts(), new TimeCounts(), new TimeCounts()];
  let turn = 0;
  for (const us of someTimes(3000)) {
    whole.record(us);
    parts[turn++ % 3]?.record(us);
  }
  const sum = new TimeCounts();
  for (const part of parts) sum.addPacked(part.pack());
  expect(sum.pack()).toEqual(whole.pack());
  expect(sum.count).toBe(3000);
  for (const percent of percentiles) expect(sum.percentile(percent)).toBe(whole.percentile(percent));
});

test('values beyond the range are kept at its ends', () => {
  const counts = new TimeCounts();
  counts.record(0);
  counts.record(-5);
  counts.record(1e12);
  expect(counts.percentile(50)).toBe(1);
  expect(counts.max).toBe(longestUs);
});

test('cleared, it is as new', () => {
  const counts = new TimeCounts();
  for (const us of someTimes(100)) counts.record(us);
  counts.clear();
  expect(counts.pack()).toEqual(new TimeCounts().pack());
  expect(counts.percentile(50)).toBe(0);
});

/** Protects stored histograms: every count is kept, merging included. */

function histogramOf(values: readonly number[]) {
  const histogram = newLatencyHistogram();
  for (const value of values) histogram.recordValue(value);
  return histogram;
}

const latencies = fc.array(fc.integer({ min: 1, max: 119_000_000 }), { minLength: 1, maxLength: 200 });

test('encoding and decoding keeps every count', () => {
  fc.assert(
    fc.property(latencies, (values) => {
      const histogram = histogramOf(values);
      const decoded = decodeHistogram(encodeHistogram(histogram));
      expect(decoded.totalCount).toBe(values.length);
      for (const percentile of [0, 25, 50, 90, 99, 100]) {
        expect(decoded.getValueAtPercentile(percentile)).toBe(histogram.getValueAtPercentile(percentile));
      }
    }),
    { numRuns: 30 },
  );
});

test('values come back within one part in a thousand', () => {
  for (const value of [1, 999, 12_345, 987_654, 119_999_999]) {
    const found = histogramOf([value]).getValueAtPercentile(50);
    expect(Math.abs(found - value) / value).toBeLessThanOrEqual(0.001);
  }
});

test('merging is recording everything into one', () => {
  const [early, late] = [
    [10, 20, 30],
    [40, 50_000],
  ];
  const merged = mergeHistograms([early, late].map((values) => encodeHistogram(histogramOf(values))));
  expect(percentileLadder(merged)).toEqual(percentileLadder(histogramOf([...early, ...late])));
  expect(merged.totalCount).toBe(5);
});

test('nothing merged is empty and has no ladder', () => {
  expect(percentileLadder(mergeHistograms([]))).toEqual({ count: 0, points: [] });
});

test('a ladder leaves out the percentiles that have fewer than ten values beyond them', () => {
  const thousand = histogramOf(Array.from({ length: 1000 }, (_, index) => index + 1));
  const { count, points } = percentileLadder(thousand);
  expect(count).toBe(1000);
  expect(points.map(({ percentile }) => percentile)).toEqual([0, 1, 5, 10, 25, 50, 75, 90, 95, 99, 100]);
  expect(points.find(({ percentile }) => percentile === 50)?.us).toBe(500);
  expect(points.at(-1)?.us).toBe(1000);
});

/** Protects tails from the bias of pooling: where nothing differs, the ratio of 99th percentiles is 1 on average. */

function histogramOfRatio(times: readonly number[]) {
  const histogram = newLatencyHistogram();
  for (const time of times) histogram.recordValue(Math.round(time));
  return histogram;
}

/** A small range is all that the simulation needs, and cheaper to make than one of 120 s. */
function quickHistogram() {
  return build({ bitBucketSize: 32, lowestDiscernibleValue: 1, highestTrackableValue: 1_000_000 });
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const errorOf = (values: readonly number[]) =>
  Math.sqrt(mean(values.map((value) => (value - mean(values)) ** 2)) / values.length);

describe('the quantile', () => {
  const ten = Array.from({ length: 10 }, (_, index) => 10 * (index + 1));
  test('of each arm is type 8 of Hyndman and Fan', () => {
    // R 4: quantile(10 * (1:10), 0.9, type = 8) is 96.333…; its place is (10 + 1/3) · 0.9 + 1/3.
    const found = tailRatio(histogramOfRatio(ten), [histogramOfRatio(ten)], 90);
    expect(found?.comparison).toBeCloseTo(96.3333333, 6);
    expect(found).toMatchObject({ log: 0, twinLog: null });
  });
  test('of both baselines is averaged on the logarithm', () => {
    const twice = histogramOfRatio(ten.map((value) => 4 * value));
    const found = tailRatio(histogramOfRatio(ten), [histogramOfRatio(ten), twice], 50);
    expect(found?.log).toBeCloseTo(-Math.log(2), 12);
    expect(found?.twinLog).toBeCloseTo(Math.log(4), 12);
    expect(found?.baseline).toBeCloseTo(110, 9);
  });
  test('of nothing is none', () => {
    const none = histogramOfRatio([]);
    expect(tailRatio(histogramOfRatio(ten), [none], 99)).toBeNull();
    expect(tailRatio(histogramOfRatio(ten), [histogramOfRatio(ten), none], 99)).toBeNull();
  });
});

test('without any difference the ratio of 99th percentiles is 1, where pooling says 5 % less at least', () => {
  const [ours, pooled]: [number[], number[]] = [[], []];
  for (let run = 0; run < 300; run++) {
    const draw = drawsOf(Math.imul(run + 1, 0x9e3779b1));
    // A stall meets one turn in three: 2 % of its transactions take five times as long.
    const arm = () => {
      const stalled = draw() < 1 / 3;
      const histogram = quickHistogram();
      for (let i = 0; i < 500; i++) {
        const slow = stalled && draw() < 0.02 ? 5 : 1;
        histogram.recordValue(Math.round(1000 * slow * Math.exp(0.2 * drawNormal(draw))));
      }
      return histogram;
    };
    const arms = { baseline: arm(), comparison: arm(), twin: arm() };
    const sum = quickHistogram();
    sum.add(arms.baseline);
    sum.add(arms.twin);
    ours.push(tailRatio(arms.comparison, [arms.baseline, arms.twin], 99)?.log ?? Number.NaN);
    pooled.push(Math.log(arms.comparison.getValueAtPercentile(99) / sum.getValueAtPercentile(99)));
  }
  expect(Math.abs(mean(ours))).toBeLessThan(2.5 * errorOf(ours));
  expect(mean(pooled)).toBeLessThan(Math.log(0.95));
});

test('arms with unlike numbers of transactions compare: twice as many move p99 by less than 1 %', () => {
  const logs = Array.from({ length: 400 }, (_, run) => {
    const draw = drawsOf(Math.imul(run + 7, 0x9e3779b1));
    const arm = (count: number) => {
      const histogram = quickHistogram();
      for (let i = 0; i < count; i++)
        histogram.recordValue(Math.round(1000 * Math.exp(0.4 * drawNormal(draw))));
      return histogram;
    };
    const baseline = arm(1000);
    return tailRatio(arm(500), [baseline], 99)?.log ?? Number.NaN;
  });
  expect(Math.abs(mean(logs))).toBeLessThan(0.01);
});
