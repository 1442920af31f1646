import { quantileOfSorted, toSorted } from './quantile.ts';

/** Fewer values than this have no order statistics to take an error from. */
const fewestValues = 12;
/** Of the normal distribution, for 95 %. */
const z = 1.959964;

/**
 * The median of values that were measured in clusters (the pairs of a window), and its standard error: the width of the
 * interval between order statistics, which assumes nothing of the values' shape, divided by that of a normal one. The
 * ranks lie apart by the design effect of the clusters, which is 1 for independent values: what a window does to all its
 * pairs makes them count for fewer. Null without a value; no error for fewer than twelve.
 * Source: Woodruff, Confidence Intervals for Medians, Journal of the American Statistical Association 47 (1952).
 */
export function clusteredMedian(
  clusters: readonly (readonly number[])[],
): { median: number; error: number | null } | null {
  const values = clusters.flat();
  const n = values.length;
  if (n === 0) return null;
  const sorted = toSorted(values);
  const median = quantileOfSorted(sorted, 0.5);
  if (n < fewestValues) return { median, error: null };
  const reach = (z / 2) * Math.sqrt(designEffect(clusters, median) / n);
  const lo = quantileOfSorted(sorted, Math.max(0, 0.5 - reach));
  const hi = quantileOfSorted(sorted, Math.min(1, 0.5 + reach));
  return { median, error: (hi - lo) / (2 * z) };
}

/** Variance of the clusters' sums of signs about the median, beside that of independent signs; never below 1. */
function designEffect(clusters: readonly (readonly number[])[], median: number): number {
  const filled = clusters.filter((values) => values.length > 0);
  if (filled.length < 2) return 1;
  const sums = filled.map((values) => values.reduce((sum, value) => sum + Math.sign(value - median), 0));
  const n = filled.reduce((count, values) => count + values.length, 0);
  const between = sums.reduce((squares, sum) => squares + sum * sum, 0);
  return Math.max(1, (between / n) * (filled.length / (filled.length - 1)));
}
