import { type Scale, scaleFor } from '../../../../shared/base/quantity.ts';
import { bySide, type SideName } from '../../../../shared/base/transport.ts';
import type { MetricComparison } from '../../../../shared/kinds/comparison/comparison.ts';
import type { OperatingPoint } from '../../../../shared/kinds/comparison/load-profile.ts';
import { type MetricId, metricOf } from '../../../../shared/kinds/comparison/metric.ts';
import type { Distribution } from '../../../../shared/kinds/comparison/run.ts';
import type { ShownRun } from '../../../../shared/kinds/comparison/shown-run.ts';
import { pointOf } from './operating-point.ts';

/**
 * The latency of both sides, up to the percentile that its sample carries. Where the table has a row for a percentile, it is
 * the row's figure; the others are of all transactions pooled.
 */
export type DistributionView = {
  baseline: readonly Point[];
  comparison: readonly Point[];
  /** Highest percentile shown, from the smaller sample. */
  highest: number;
  /** Rows of the table, by their percentile. */
  rows: ReadonlyMap<number, MetricComparison>;
  /** Where the transactions were, when the median of the table is from elsewhere. */
  apartFromMedian: OperatingPoint | null;
  scale: Scale;
};
export type Point = {
  percentile: number;
  us: number;
  /** The 95 % CI, where the table has one. */
  interval: readonly [lo: number, hi: number] | null;
};

type Shown = Pick<ShownRun, 'distributions' | 'metrics' | 'blocks'>;

export function distributionView({ distributions, metrics, blocks }: Shown): DistributionView | null {
  if (distributions === null) return null;
  const highest = highestPercentile(Math.min(distributions.baseline.count, distributions.comparison.count));
  const kinds = new Set(blocks.map(({ kind }) => kind));
  const point = pointOf(['steady', 'lockstep'], kinds);
  const rows = new Map(
    metrics.flatMap((row) => {
      const percentile = percentileOf[row.id];
      const fits = percentile !== undefined && percentile <= highest && hasBoth(row);
      return fits && pointOf(metricOf(row.id).points, kinds) === point ? [[percentile, row] as const] : [];
    }),
  );
  const sides = bySide((side) => pointsOf(distributions[side], highest, rows, side));
  if (sides.baseline.length === 0 || sides.comparison.length === 0) return null;
  const times = [...sides.baseline, ...sides.comparison].map(({ us }) => us).filter((us) => us > 0);
  const apart = pointOf(metricOf('latency_p50').points, kinds) !== point;
  return { ...sides, highest, rows, apartFromMedian: apart ? point : null, scale: scaleFor('us', times) };
}

const percentileOf: Partial<Record<MetricId, number>> = {
  latency_p50: 50,
  latency_p90: 90,
  latency_p99: 99,
};

function hasBoth({ baseline, comparison }: MetricComparison): boolean {
  return baseline !== null && comparison !== null;
}

/** Pooled percentiles that the neighboring rows of the table contradict are left out. */
function pointsOf(
  { points }: Distribution,
  highest: number,
  rows: DistributionView['rows'],
  side: SideName,
): Point[] {
  const known = [...rows].flatMap(([percentile, row]) => {
    const estimate = row[side];
    if (estimate === null) return [];
    // Without a ratio the row has too few readings for an interval.
    const interval = row.ratio === null ? null : ([estimate.lo, estimate.hi] as const);
    return [{ percentile, us: estimate.center, interval }];
  });
  const fits = (point: { percentile: number; us: number }) =>
    known.every(({ percentile, us }) =>
      percentile === point.percentile ? false : percentile < point.percentile === us < point.us,
    );
  const pooled = points.filter((point) => point.percentile <= highest && fits(point));
  return [...pooled.map((point) => ({ ...point, interval: null })), ...known].toSorted(
    (a, b) => a.percentile - b.percentile,
  );
}

/** A percentile needs ten observations beyond it, the 99.9th a hundred. */
export function highestPercentile(count: number): number {
  if (count >= 100_000) return 99.9;
  if (count >= 1000) return 99;
  return count >= 200 ? 95 : 90;
}

/** At a percentile, linear between those that are known; an interval where the percentile itself is known. */
export function pointAt(points: readonly Point[], percentile: number): Point {
  const after = points.findIndex((point) => point.percentile >= percentile);
  const right = points[after] ?? points.at(-1);
  const left = points[Math.max(0, after - 1)] ?? right;
  if (right === undefined || left === undefined) return { percentile, us: Number.NaN, interval: null };
  if (right.percentile === percentile) return right;
  const span = right.percentile - left.percentile;
  const us =
    after === -1 || span === 0
      ? right.us
      : left.us + ((right.us - left.us) * (percentile - left.percentile)) / span;
  return { percentile, us, interval: null };
}
