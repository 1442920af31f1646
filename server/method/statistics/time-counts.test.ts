/** Protects counted latencies: percentiles are those of an HdrHistogram of three digits. */
import { expect, test } from 'vitest';
import { newLatencyHistogram } from './histogram.ts';
import { longestUs, TimeCounts } from './time-counts.ts';

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
