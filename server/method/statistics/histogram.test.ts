/** Protects stored histograms: every count is kept, merging included. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  decodeHistogram,
  encodeHistogram,
  mergeHistograms,
  newLatencyHistogram,
  percentileLadder,
} from './histogram.ts';

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
