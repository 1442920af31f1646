import {
  build,
  decodeFromCompressedBase64,
  encodeIntoCompressedBase64,
  type Histogram,
} from 'hdr-histogram-js';
import type { Distribution } from '../../../shared/kinds/comparison/run.ts';
import { meanOf } from './mean.ts';

/** Counts on their way to another process: `bucket, count, bucket, count, …, largest value`. */
export type Packed = Uint32Array<ArrayBuffer>;

/** Whether it could be what `pack` gave: a host may send anything. */
export function isPacked(packed: Uint32Array): boolean {
  if (packed.length % 2 !== 1 || (packed.at(-1) ?? 0) > longestUs) return false;
  const buckets = bucketOf(longestUs) + 1;
  return packed.every((value, at) => at % 2 === 1 || at === packed.length - 1 || value < buckets);
}

/**
 * Counts of times in whole µs, from 1 µs to 120 s, in the buckets of an HdrHistogram of three significant digits: each
 * µs up to 2,048, then 1,024 buckets an octave, so no value is off by more than 0.1 %. A recording is one shift, one
 * sum and one increment: cheap enough for every request, and counts of several processes add up.
 */
export class TimeCounts {
  count = 0;
  max = 0;
  readonly #counts = new Uint32Array(bucketOf(longestUs) + 1);

  /** @param us rounded to whole µs and kept within 1 µs and 120 s */
  record(us: number): void {
    const value = us < 1 ? 1 : us > longestUs ? longestUs : Math.round(us);
    const bucket = bucketOf(value);
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.count++;
    if (value > this.max) this.max = value;
  }

  clear(): void {
    if (this.count === 0) return;
    this.#counts.fill(0);
    this.count = 0;
    this.max = 0;
  }

  /** The buckets that hold something. */
  pack(): Packed {
    const packed: number[] = [];
    if (this.count > 0) {
      const last = bucketOf(this.max);
      for (let bucket = 0; bucket <= last; bucket++) {
        const count = this.#counts[bucket] ?? 0;
        if (count > 0) packed.push(bucket, count);
      }
    }
    packed.push(this.max);
    return Uint32Array.from(packed);
  }

  /** Adds what `pack` gave of another. */
  addPacked(packed: Packed): void {
    for (let at = 0; at + 1 < packed.length; at += 2) {
      const bucket = packed[at] ?? 0;
      const count = packed[at + 1] ?? 0;
      this.#counts[bucket] = (this.#counts[bucket] ?? 0) + count;
      this.count += count;
    }
    this.max = Math.max(this.max, packed.at(-1) ?? 0);
  }

  /** Highest µs of the bucket in which the percentile lies, as HdrHistogram gives it; 0 when there is nothing. */
  percentile(percent: number): number {
    if (this.count === 0) return 0;
    const wanted = Math.max(1, Math.floor((percent / 100) * this.count + 0.5));
    let seen = 0;
    for (let bucket = 0; bucket < this.#counts.length; bucket++) {
      seen += this.#counts[bucket] ?? 0;
      if (seen >= wanted) return Math.min(this.max, highestOf(bucket));
    }
    return this.max;
  }

  /** Calls back with the highest µs of each bucket that holds something, and its count. */
  forEach(visit: (us: number, count: number) => void): void {
    for (let bucket = 0; bucket < this.#counts.length; bucket++) {
      const count = this.#counts[bucket] ?? 0;
      if (count > 0) visit(highestOf(bucket), count);
    }
  }
}

export const longestUs = 120_000_000;
const halfBits = 10;
const half = 1 << halfBits;

function bucketOf(us: number): number {
  const shift = Math.max(0, 31 - halfBits - Math.clz32(us));
  return shift * half + (us >>> shift);
}

function highestOf(bucket: number): number {
  const shift = Math.max(0, (bucket >>> halfBits) - 1);
  return ((bucket - shift * half + 1) << shift) - 1;
}

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

/** A tail on the arms, and what they say of each other. Times in µs. */
type TailRatio = {
  /** Geometric mean of the baseline arms. */
  baseline: number;
  comparison: number;
  /** Logarithm of comparison ÷ baseline. */
  log: number;
  /** Logarithm of twin ÷ baseline; null without a twin. */
  twinLog: number | null;
};

/**
 * A tail of the comparison against that of the baseline: each arm's own quantile by one rule, then the logarithm of the
 * comparison's less the mean of the logarithms of baseline's and twin's.
 *
 * The arms must not be pooled: a quantile of 2n transactions is not estimated as one of n is, and of two arms of which a stall
 * met one, the pooled tail is nearly the stalled one's, far above their mean. Without any difference p99 then
 * comes out 6 to 11 % low. Null where an arm that is there holds nothing.
 *
 * @param of counted times of the comparison
 * @param plain those of the baseline and, where it has one, of its twin
 * @param percentile such as 99
 */
export function tailRatio(
  of: Histogram,
  plain: readonly [baseline: Histogram, twin?: Histogram],
  percentile: number,
): TailRatio | null {
  const comparison = tailOf(of, percentile);
  const baselines = plain.flatMap((each) => (each === undefined ? [] : tailOf(each, percentile)));
  if (!(Math.min(comparison, ...baselines) > 0)) return null;
  const [log = 0, twinLog = null] = baselines.map(Math.log);
  const middle = meanOf(baselines.map(Math.log));
  return {
    baseline: Math.exp(middle),
    comparison,
    log: Math.log(comparison) - middle,
    twinLog: twinLog === null ? null : twinLog - log,
  };
}

/**
 * A quantile between order statistics, about median-unbiased whatever the distribution, so that arms with unlike numbers of
 * transactions compare: type 8 of Hyndman and Fan, Sample Quantiles in Statistical Packages, The American Statistician 50
 * (1996). 0 for an empty histogram.
 */
function tailOf(histogram: Histogram, percentile: number): number {
  const n = histogram.totalCount;
  if (n === 0) return 0;
  const place = Math.min(n, Math.max(1, (n + 1 / 3) * (percentile / 100) + 1 / 3));
  const below = Math.floor(place);
  const lower = valueOfRank(histogram, below);
  const upper = valueOfRank(histogram, Math.min(n, below + 1));
  return lower + (place - below) * (upper - lower);
}

/** The rank-th smallest, from 1: HdrHistogram rounds a percentile to the nearest rank. */
function valueOfRank(histogram: Histogram, rank: number): number {
  return histogram.getValueAtPercentile((100 * rank) / histogram.totalCount);
}
