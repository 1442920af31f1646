import type { Estimate } from '../../../shared/kinds/comparison/comparison.ts';
import { quantileOfSorted, toSorted } from './quantile.ts';

/**
 * Median of a sample and its distribution-free interval: from the k-th smallest to the k-th largest value, with the
 * largest k whose exact binomial coverage, 1 − 2·P(Bin(n, ½) < k), still reaches the confidence. When no k does
 * (n < 6 at 95 %), the interval is the whole range. Null for an empty sample.
 * Source: Hahn and Meeker, Statistical Intervals, section 5.2.
 */
export function medianInterval(values: readonly number[], confidence = 0.95): Estimate | null {
  const n = values.length;
  if (n === 0) return null;
  const sorted = toSorted(values);
  const trimmed = Math.max(0, rankOf(n, (1 - confidence) / 2) - 1);
  return {
    center: quantileOfSorted(sorted, 0.5),
    lo: sorted[trimmed] as number,
    hi: sorted[n - 1 - trimmed] as number,
  };
}

/** Largest k with P(Bin(n, ½) < k) ≤ tail. */
function rankOf(n: number, tail: number): number {
  let logTerm = -n * Math.LN2;
  let below = 0;
  for (let k = 0; k <= n; k++) {
    below += Math.exp(logTerm);
    if (below > tail) return k;
    logTerm += Math.log((n - k) / (k + 1));
  }
  return n;
}
