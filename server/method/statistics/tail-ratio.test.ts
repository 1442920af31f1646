/** Protects tails from the bias of pooling: where nothing differs, the ratio of 99th percentiles is 1 on average. */
import { build } from 'hdr-histogram-js';
import { describe, expect, test } from 'vitest';
import { drawNormal } from '../../testing/draws.ts';
import { newLatencyHistogram } from './histogram.ts';
import { drawsOf } from './random.ts';
import { tailRatio } from './tail-ratio.ts';

function histogramOf(times: readonly number[]) {
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
    const found = tailRatio(histogramOf(ten), [histogramOf(ten)], 90);
    expect(found?.comparison).toBeCloseTo(96.3333333, 6);
    expect(found).toMatchObject({ log: 0, twinLog: null });
  });
  test('of both baselines is averaged on the logarithm', () => {
    const twice = histogramOf(ten.map((value) => 4 * value));
    const found = tailRatio(histogramOf(ten), [histogramOf(ten), twice], 50);
    expect(found?.log).toBeCloseTo(-Math.log(2), 12);
    expect(found?.twinLog).toBeCloseTo(Math.log(4), 12);
    expect(found?.baseline).toBeCloseTo(110, 9);
  });
  test('of nothing is none', () => {
    const none = histogramOf([]);
    expect(tailRatio(histogramOf(ten), [none], 99)).toBeNull();
    expect(tailRatio(histogramOf(ten), [histogramOf(ten), none], 99)).toBeNull();
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
