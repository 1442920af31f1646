import { excludes } from '../../../shared/base/estimate-arithmetic.ts';
import { studentQuantile } from './distributions.ts';
import { median } from './intervals.ts';
import { meanOf, sumOf } from './mean.ts';

/**
 * Finds where a series of estimates changed its level: the segmentation with the smallest weighted sum of squares plus a penalty for each
 * step, found exactly (optimal partitioning: Jackson et al., An Algorithm for Optimal Partitioning of Data on an Interval, IEEE Signal
 * Processing Letters 12, 2005). The penalty of 3 log n is that of the modified BIC (Zhang and Siegmund, A Modified Bayes Information
 * Criterion, Biometrics 63, 2007), the default of the R package changepoint.
 */

export type SeriesPoint = {
  value: number;
  /** Error of the point alone; what moves from point to point comes from the series. */
  standardError: number;
};

export type Segment = {
  /** Index of its first point, and of the one after its last. */
  from: number;
  to: number;
  mean: number;
  standardError: number;
};

/** A step has at least this many points: a single odd run is no step. */
export const shortestSegment = 3;

/**
 * @param starts places of points that always begin a segment, whatever their values
 * @returns the segments in order (one without a step), and how far points stray from the mean of their segment
 */
export function findSegments(
  points: readonly SeriesPoint[],
  starts: ReadonlySet<number> = new Set(),
): { segments: Segment[]; spread: number } {
  const between = varianceBetween(points, starts);
  const weights = points.map(({ standardError }) => 1 / Math.max(standardError ** 2 + between, smallest));
  const sums = sumsOf(points, weights);
  const bounds = [0, ...starts, points.length].toSorted((a, b) => a - b);
  const ends = bounds
    .slice(1)
    .flatMap((to, place) => optimalEnds(bounds[place] ?? 0, to, points.length, sums));
  const segments = ends.map((to, index): Segment => {
    const from = ends[index - 1] ?? 0;
    const { weight, mean } = sums.over(from, to);
    return { from, to, mean, standardError: Math.sqrt(1 / weight) };
  });
  const own = points.length === 0 ? 0 : median(points.map(({ standardError }) => standardError ** 2));
  return { segments, spread: Math.sqrt(between + own) };
}

/** Against division by nothing, where points are known exactly and equal. */
const smallest = 1e-18;

/** The median of a squared standard normal variable. */
const medianOfSquare = 0.454936;

/**
 * Variance from point to point that their own errors do not explain. From differences of neighbors, so that steps do not
 * count, and by their median, so that an odd run does not.
 */
function varianceBetween(points: readonly SeriesPoint[], starts: ReadonlySet<number>): number {
  const neighbors = points.flatMap((point, index) => {
    const before = points[index - 1];
    if (before === undefined || starts.has(index)) return [];
    const own = point.standardError ** 2 + before.standardError ** 2;
    return [{ square: (point.value - before.value) ** 2, own }];
  });
  if (neighbors.length === 0) return 0;
  const total = median(neighbors.map(({ square }) => square)) / medianOfSquare;
  return Math.max(0, (total - median(neighbors.map(({ own }) => own))) / 2);
}

type Sums = { over(from: number, to: number): { weight: number; mean: number; squares: number } };

/** Sums over any stretch, in constant time. */
function sumsOf(points: readonly SeriesPoint[], weights: readonly number[]): Sums {
  // Around the first value: squares of values far from zero would swallow their differences.
  const origin = points[0]?.value ?? 0;
  const cumulative = { weight: [0], value: [0], square: [0] };
  for (const [index, { value }] of points.entries()) {
    const weight = weights[index] ?? 0;
    const off = value - origin;
    cumulative.weight.push((cumulative.weight[index] ?? 0) + weight);
    cumulative.value.push((cumulative.value[index] ?? 0) + weight * off);
    cumulative.square.push((cumulative.square[index] ?? 0) + weight * off * off);
  }
  const between = (of: readonly number[], from: number, to: number) => (of[to] ?? 0) - (of[from] ?? 0);
  return {
    over(from, to) {
      const weight = between(cumulative.weight, from, to);
      const value = between(cumulative.value, from, to);
      const squares = Math.max(0, between(cumulative.square, from, to) - value ** 2 / weight);
      return { weight, mean: origin + value / weight, squares };
    },
  };
}

/** Ends of the segments of a stretch; the last is `to`. @param count points of the whole series */
function optimalEnds(from: number, to: number, count: number, sums: Sums): number[] {
  if (from === to) return [];
  const penalty = 3 * Math.log(count);
  const best = new Map([[from, { cost: -penalty, start: from }]]);
  for (let end = from + 1; end <= to; end++) {
    let found = { cost: sums.over(from, end).squares, start: from };
    for (let start = from + shortestSegment; start <= end - shortestSegment; start++) {
      const cost = (best.get(start)?.cost ?? 0) + penalty + sums.over(start, end).squares;
      if (cost < found.cost) found = { cost, start };
    }
    best.set(end, found);
  }
  const ends: number[] = [];
  for (let end = to; end > from; end = best.get(end)?.start ?? from) ends.unshift(end);
  return ends;
}

/** Comparison in one stretch of a launch, and how far into the launch it was. */
export type DriftPoint = {
  launch: number;
  /** That the target had served since it started, at the middle of the stretch. */
  transactions: number;
  /** Logarithm of comparison ÷ baseline. */
  logRatio: number;
  /** How much it counts beside the others, such as its transactions: proportional to 1 ÷ its variance. */
  weight: number;
};

type Drift = {
  /** Change of the log ratio per transaction. */
  slope: number;
  /** 95 % confidence interval of the slope. */
  lo: number;
  hi: number;
  standardError: number;
  degrees: number;
  /** Transactions from the first to the last point, mean over the launches. */
  span: number;
};

/** With fewer, Student's quantile is so large that no drift shows. */
const fewestDegrees = 2;

/**
 * How the log ratio moves with the transactions served, as when a process is not yet warm: weighted least squares with one slope
 * for all launches and an intercept for each, because launches differ anyway. The errors of the points are taken as
 * independent, so the points must lie apart beside what correlates them: epochs or batches of windows, not windows.
 * Null for too few points, or where all of a launch lie at one place.
 * Source: Draper and Smith, Applied Regression Analysis, sections 2.11 (weights) and 14.1 (an intercept for each group).
 */
export function driftOf(points: readonly DriftPoint[]): Drift | null {
  const counting = points.filter(({ weight }) => weight > 0);
  const launches = [...Map.groupBy(counting, ({ launch }) => launch).values()].filter(
    ({ length }) => length >= 2,
  );
  const centered = launches.flatMap(aroundOwnMean);
  const degrees = centered.length - launches.length - 1;
  const spread = sumOf(centered.map(({ x, weight }) => weight * x * x));
  if (degrees < fewestDegrees || !(spread > 0)) return null;
  const slope = sumOf(centered.map(({ x, y, weight }) => weight * x * y)) / spread;
  const left = sumOf(centered.map(({ x, y, weight }) => weight * (y - slope * x) ** 2));
  const standardError = Math.sqrt(left / degrees / spread);
  const reach = standardError === 0 ? 0 : studentQuantile(0.95, degrees) * standardError;
  return {
    ...{ slope, lo: slope - reach, hi: slope + reach, standardError, degrees },
    span: meanOf(launches.map(spanOf)),
  };
}

function aroundOwnMean(points: readonly DriftPoint[]): { x: number; y: number; weight: number }[] {
  const total = sumOf(points.map(({ weight }) => weight));
  const meanBy = (read: (point: DriftPoint) => number) =>
    sumOf(points.map((point) => point.weight * read(point))) / total;
  const [x, y] = [meanBy(({ transactions }) => transactions), meanBy(({ logRatio }) => logRatio)];
  return points.map(({ transactions, logRatio, weight }) => ({
    ...{ x: transactions - x, y: logRatio - y, weight },
  }));
}

function spanOf(points: readonly DriftPoint[]): number {
  const served = points.map(({ transactions }) => transactions);
  return Math.max(...served) - Math.min(...served);
}

/**
 * Widening of the estimate on either side because of drift, on the logarithm: half of the change of the ratio while it was measured,
 * because the estimate is that of the middle and the ends are equally true. 0 if the slope may be zero.
 */
export function driftWidening(drift: Drift | null): number {
  return drift === null || !excludes(drift, 0) ? 0 : Math.abs(drift.slope * drift.span) / 2;
}
