import { excludesZero } from './excludes-zero.ts';
import { meanOf, sumOf } from './mean.ts';
import { studentQuantile } from './student-t.ts';

/** What a stretch of a launch says of the comparison, and how far into the launch it was. */
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
  /** Of the log ratio, per transaction. */
  slope: number;
  /** Of the slope, at 95 %. */
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
 * What a drift adds to either side of the estimate, on the logarithm: half of what the ratio moved while it was measured, as
 * the estimate is that of the middle and the ends are as true. 0 where the slope may be none.
 */
export function driftWidening(drift: Drift | null): number {
  return drift === null || !excludesZero(drift) ? 0 : Math.abs(drift.slope * drift.span) / 2;
}
