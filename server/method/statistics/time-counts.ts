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
