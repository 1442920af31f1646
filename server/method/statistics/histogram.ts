import {
  build,
  decodeFromCompressedBase64,
  encodeIntoCompressedBase64,
  type Histogram,
} from 'hdr-histogram-js';
import type { Distribution } from '../../../shared/kinds/comparison/run.ts';
import { longestUs, type TimeCounts } from './time-counts.ts';

/** Latency histograms: whole µs from 1 µs to 120 s with three significant digits, a fixed array of counts. */
const highestUs = longestUs;

export function newLatencyHistogram(): Histogram {
  return build({
    bitBucketSize: 32,
    autoResize: false,
    lowestDiscernibleValue: 1,
    highestTrackableValue: highestUs,
    numberOfSignificantValueDigits: 3,
  });
}

/** HdrHistogram's V2 compressed form in base64, which its ports in other languages read as well. */
export function encodeHistogram(histogram: Histogram): string {
  return encodeIntoCompressedBase64(histogram);
}

/** Times counted by a generator, in the same form. */
export function encodeCounts(counts: TimeCounts): string {
  const histogram = newLatencyHistogram();
  counts.forEach((us, count) => {
    histogram.recordValueWithCount(Math.min(us, highestUs), count);
  });
  return encodeHistogram(histogram);
}

export function decodeHistogram(encoded: string): Histogram {
  return decodeFromCompressedBase64(encoded, 32, false, highestUs);
}

/** The sum of histograms as `encodeHistogram` wrote them; empty for none. */
export function mergeHistograms(encoded: readonly string[]): Histogram {
  const sum = newLatencyHistogram();
  for (const text of encoded) sum.add(decodeHistogram(text));
  return sum;
}

const ladder = [0, 1, 5, 10, 25, 50, 75, 90, 95, 99, 99.5, 99.9, 99.99, 100];

/** Values that must lie beyond a percentile for it to say more than the maximum does. */
const valuesBeyond = 10;

/** The rungs that the number of values can bear, and the maximum; none for an empty histogram. */
export function percentileLadder(histogram: Histogram): Distribution {
  const count = histogram.totalCount;
  const rungs = ladder.filter(
    (percentile) => percentile === 100 || (1 - percentile / 100) * count >= valuesBeyond,
  );
  return {
    count,
    points:
      count === 0
        ? []
        : rungs.map((percentile) => ({ percentile, us: histogram.getValueAtPercentile(percentile) })),
  };
}
