import { printChange, printDifference, scaleFor } from '../../../../shared/base/quantity.ts';
import type { Estimate, MetricComparison } from '../../../../shared/kinds/comparison/comparison.ts';
import type { Metric } from '../../../../shared/kinds/comparison/metric.ts';
import type { Strip } from '../../../components/distribution-strip.tsx';
import { printCount } from '../../../format/count.ts';

/** A metric in one line: a mark for each launch, or for each block of a difference, over the whole interval. */
export function stripOf(measured: MetricComparison, metric: Metric): Strip | null {
  const { ratio, delta, launches, pairs } = measured;
  if (ratio !== null && launches.length > 0) return launchStrip(measured, ratio, metric);
  if (pairs.length === 0) return null;
  if (ratio !== null) {
    return {
      marks: pairs.map(({ value }) => ({ at: value - 1, interval: null })),
      nulls: [],
      band: null,
      interval: changeOf(ratio),
      label: blocksLabel(metric, pairs),
      print: (change) => printChange(1 + change),
    };
  }
  if (delta === null) return null;
  const values = pairs.map(({ value }) => value);
  const scale = scaleFor(metric.unit, [...values, delta.lo, delta.hi]);
  return {
    marks: values.map((at) => ({ at, interval: null })),
    nulls: [],
    band: bandOfNulls(pairs),
    interval: delta,
    label: blocksLabel(metric, pairs),
    print: (value) => printDifference(value, { ...scale, decimals: Math.min(1, scale.decimals) }),
  };
}

function launchStrip({ launches, twinRatio }: MetricComparison, ratio: Estimate, { title }: Metric): Strip {
  const band = twinRatio === null ? null : changeOf(twinRatio);
  return {
    marks: launches.map((launch) => {
      const { center, lo, hi } = changeOf(launch.ratio);
      // A launch of which nothing is known but its value has an interval of no width.
      return { at: center, interval: lo < hi ? [lo, hi] : null };
    }),
    nulls: launches.flatMap(({ twinRatio }) => (twinRatio === null ? [] : [twinRatio - 1])),
    band: band === null ? null : [band.lo, band.hi],
    interval: changeOf(ratio),
    label: `${title}: ${printCount(launches.length, 'launch')} with their intervals, and the interval over all${band === null ? '' : ', next to the interval of the twin'}`,
    print: (change) => printChange(1 + change),
  };
}

function changeOf({ lo, center, hi }: Estimate): Estimate {
  return { lo: lo - 1, center: center - 1, hi: hi - 1 };
}

/** All that two identical listeners differed by in the same blocks. */
function bandOfNulls(pairs: MetricComparison['pairs']): Strip['band'] {
  const nulls = pairs.flatMap(({ twinValue }) => twinValue ?? []);
  return nulls.length === 0 ? null : [Math.min(...nulls), Math.max(...nulls)];
}

function blocksLabel({ title }: Metric, { length }: MetricComparison['pairs']): string {
  return `${title}: the differences of ${length} blocks and their interval`;
}
