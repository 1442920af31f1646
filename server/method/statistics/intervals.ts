import type { Estimate } from '../../../shared/base/units.ts';
import { studentPValue, studentQuantile } from './distributions.ts';
import { meanOf } from './mean.ts';
import type { Unit } from './pool-runs.ts';

type LaunchInterval = Estimate & {
  degrees: number;
  /** Two-sided, that the center is zero. */
  pValue: number;
  standardError: number;
};

/** One launch needs as many units for an interval. */
const fewestUnits = 3;

/**
 * The mean over the launches with Student's interval. Units of a launch share its processes, so only the launches' means
 * are independent: they carry all variances, between launches, epochs and within, in one spread with launches − 1
 * degrees of freedom. Each launch counts alike, as what differs between launches outweighs what more epochs of one tell.
 * With one launch its units stand in, and the interval is about those processes only. Null for a launch with fewer than
 * three units.
 */
export function launchInterval(units: readonly Unit[], confidence = 0.95): LaunchInterval | null {
  const launches = Map.groupBy(units, ({ launch }) => launch);
  const each = launches.size >= 2 ? [...launches.values()] : units.map((unit) => [unit]);
  if (launches.size < 2 && units.length < fewestUnits) return null;
  const values = each.map((of) => meanOf(of.map(({ value }) => value)));
  return studentInterval(values, confidence);
}

function studentInterval(values: readonly number[], confidence: number): LaunchInterval {
  const degrees = values.length - 1;
  const center = meanOf(values);
  const squares = values.reduce((sum, value) => sum + (value - center) ** 2, 0);
  const standardError = Math.sqrt(squares / degrees / values.length);
  const reach = standardError === 0 ? 0 : studentQuantile(confidence, degrees) * standardError;
  return {
    ...{ center, lo: center - reach, hi: center + reach },
    ...{ degrees, standardError, pValue: pValueOf(center, standardError, degrees) },
  };
}

/** Without any spread there is nothing to be uncertain about. */
function pValueOf(center: number, standardError: number, degrees: number): number {
  if (standardError === 0) return center === 0 ? 1 : 0;
  return studentPValue(center / standardError, degrees);
}

/** In one window: a total, and what it is divided by. */
type Part = { sum: number; count: number };

/**
 * The logarithm of (Σ sum ÷ Σ count) of one arm divided by that of another, over windows that both share, and its standard
 * error by the jackknife over windows: each is left out in turn, so what the arms share in a window cancels. Null where a
 * total is not above zero; no error for fewer than three windows.
 * Source: Efron and Tibshirani, An Introduction to the Bootstrap, section 11.
 */
export function ratioOfSums(
  one: readonly Part[],
  other: readonly Part[],
): { log: number; error: number | null } | null {
  const [above, below] = [totalOf(one), totalOf(other)];
  const log = logOf(above, below);
  if (!Number.isFinite(log)) return null;
  const without = one.map((part, index) => logOf(less(above, part), less(below, other[index] ?? part)));
  const isSteady = without.length >= fewestWindows && without.every(Number.isFinite);
  return { log, error: isSteady ? jackknifeError(without) : null };
}

const fewestWindows = 3;

function jackknifeError(without: readonly number[]): number {
  const n = without.length;
  const mean = without.reduce((sum, value) => sum + value, 0) / n;
  return Math.sqrt(((n - 1) / n) * without.reduce((sum, value) => sum + (value - mean) ** 2, 0));
}

function logOf(above: Part, below: Part): number {
  return Math.log(above.sum / above.count / (below.sum / below.count));
}

function totalOf(parts: readonly Part[]): Part {
  return parts.reduce((total, { sum, count }) => ({ sum: total.sum + sum, count: total.count + count }), {
    sum: 0,
    count: 0,
  });
}

function less(total: Part, { sum, count }: Part): Part {
  return { sum: total.sum - sum, count: total.count - count };
}

/** Fewer values than this have no order statistics to take an error from. */
const fewestValues = 12;
/** Quantile of the normal distribution, for 95 %. */
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

/** The unit that is left out, or null when none is. */
export type Left = number | null;

/** An estimate and half of its 95 % interval; null where leaving out one unit leaves no estimate. */
export type Jackknifed = { center: number; reach: number | null };

const confidence = 0.95;

/**
 * Delete-one jackknife of any estimates that are smooth in independent units: se² = (n − 1)/n · Σ(θ₍ᵢ₎ − θ̄)², the
 * interval by Student's t with n − 1 degrees of freedom. Not for medians over the units, where it is inconsistent.
 * Source: Efron and Tibshirani, An Introduction to the Bootstrap, 1993, equation 11.5 and section 11.6.
 * @param count of the units, three or more
 * @param estimate as many numbers from all units but one; NaN for one that they do not allow
 */
export function jackknife(count: number, estimate: (left: Left) => readonly number[]): Jackknifed[] {
  const without = Array.from({ length: count }, (_, index) => estimate(index));
  const quantile = studentQuantile(confidence, count - 1);
  return estimate(null).map((center, place) => {
    const values = without.map((estimates) => estimates[place] ?? Number.NaN);
    const mean = values.reduce((sum, value) => sum + value, 0) / count;
    const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
    const reach = quantile * Math.sqrt(((count - 1) / count) * squares);
    return { center, reach: Number.isFinite(reach) ? reach : null };
  });
}

/** Null without an interval. */
export function estimateOf({ center, reach }: Jackknifed): Estimate | null {
  return reach === null || !Number.isFinite(center)
    ? null
    : { center, lo: center - reach, hi: center + reach };
}

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

/**
 * Quantile of a sample by linear interpolation between order statistics: type 7 of Hyndman and Fan (1996),
 * the default of R and NumPy.
 * @param p between 0 and 1
 */
export function quantile(values: readonly number[], p: number): number {
  return quantileOfSorted(toSorted(values), p);
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The same for values that ascend already. */
export function quantileOfSorted(sorted: ArrayLike<number>, p: number): number {
  if (sorted.length === 0) throw new RangeError('a quantile needs at least one value');
  const position = (sorted.length - 1) * p;
  const below = Math.floor(position);
  const lower = sorted[below] as number;
  const upper = sorted[Math.min(below + 1, sorted.length - 1)] as number;
  return lower + (position - below) * (upper - lower);
}

export function toSorted(values: readonly number[]): Float64Array {
  return Float64Array.from(values).sort();
}

/**
 * The Hodges-Lehmann estimate of the center of symmetric differences: the median of their Walsh averages.
 * Nearly as efficient as the mean under normal noise (95 %), and it shrugs off a wild block.
 * Source: Hollander, Wolfe and Chicken, Nonparametric Statistical Methods, section 3.2.
 */
export function hodgesLehmann(differences: readonly number[]): number {
  return quantileOfSorted(walshAverages(differences), 0.5);
}

/** The n(n+1)/2 means of every pair of values, each with itself included, ascending. */
export function walshAverages(values: readonly number[]): Float64Array {
  const averages = new Float64Array((values.length * (values.length + 1)) / 2);
  let next = 0;
  for (const [index, first] of values.entries()) {
    for (const second of values.slice(index)) averages[next++] = (first + second) / 2;
  }
  return averages.sort();
}
