import type { MetricComparison } from '../../../../shared/comparison.ts';
import { type Metric, type MetricGroup, metricGroupSchema, metricOf } from '../../../../shared/metric.ts';
import {
  printChange,
  printDifference,
  printQuantity,
  printShare,
  scaleFor,
} from '../../../../shared/quantity.ts';
import type { RunDocument } from '../../../../shared/run.ts';
import { type Shift, scaleOf, shiftOf } from '../../../../shared/shift.ts';
import { type Look, lookOfOutcome } from '../../../format/outcome.ts';

/** The delta table as it is shown: text, words and positions, grouped and in the registry's order. */
export type DeltaGroup = { title: string; anchor: string; rows: DeltaRow[] };

export type DeltaRow = {
  metric: Metric;
  anchor: string;
  baseline: string | null;
  comparison: string | null;
  shift: Shift | null;
  look: Look;
  /** Noise floor that the outcome was held against; null when it has none. */
  floor: string | null;
  reasons: readonly string[];
  strip: StripView | null;
};

export type StripView = {
  dots: readonly number[];
  band: readonly [number, number] | null;
  interval: { lo: number; center: number; hi: number };
  label: string;
  print: (value: number) => string;
};

export function deltaGroups({
  metrics,
  noiseFloor,
}: Pick<RunDocument, 'metrics' | 'noiseFloor'>): DeltaGroup[] {
  return metricGroupSchema.options.flatMap((group) => {
    const rows = metrics
      .filter(({ id }) => metricOf(id).group === group)
      .map((measured) => rowOf(measured, noiseFloor[measured.id]));
    return rows.length === 0 ? [] : [{ title: titleOf(group), anchor: anchorOf(group), rows }];
  });
}

/** `m-cpu`, `m-execution-time`. */
export function anchorOf(name: string): string {
  return `m-${name.toLowerCase().replaceAll(' ', '-')}`;
}

function rowOf(measured: MetricComparison, floor: number | undefined): DeltaRow {
  const metric = metricOf(measured.id);
  const { baseline, comparison, ratio, delta, outcome, reasons } = measured;
  const scale = scaleOf(measured);
  const sign = ratio !== null ? ratio.center - 1 : (delta?.center ?? 0);
  return {
    metric,
    anchor: `m-${metric.id}`,
    baseline: baseline === null ? null : printQuantity(baseline.center, scale),
    comparison: comparison === null ? null : printQuantity(comparison.center, scale),
    shift: shiftOf(measured),
    look: lookOfOutcome(outcome, sign, metric.better),
    floor: floor === undefined || metric.scale === 'difference' ? null : printShare(floor),
    reasons,
    strip: outcome === 'refused' ? null : stripOf(measured, metric, floor),
  };
}

function stripOf(measured: MetricComparison, metric: Metric, floor: number | undefined): StripView | null {
  const { pairs, ratio, delta } = measured;
  if (pairs.length === 0) return null;
  const dotsOf = (change: (value: number) => number) => pairs.map(({ value }) => change(value));
  if (ratio !== null) {
    return {
      dots: dotsOf((value) => value - 1),
      band: floor === undefined ? null : [-floor, floor],
      interval: { lo: ratio.lo - 1, center: ratio.center - 1, hi: ratio.hi - 1 },
      label: labelOf(metric, pairs.length, floor),
      print: (change) => printChange(1 + change),
    };
  }
  if (delta === null) return null;
  const scale = scaleFor(metric.unit, [...dotsOf((value) => value), delta.lo, delta.hi]);
  return {
    dots: dotsOf((value) => value),
    band: bandOfNulls(pairs),
    interval: delta,
    label: labelOf(metric, pairs.length, undefined),
    print: (value) => printDifference(value, { ...scale, decimals: Math.min(1, scale.decimals) }),
  };
}

/** Where there is no floor, as for differences: all that two identical listeners differed by in the same blocks. */
function bandOfNulls(pairs: MetricComparison['pairs']): StripView['band'] {
  const nulls = pairs.flatMap(({ nullValue }) => nullValue ?? []);
  return nulls.length === 0 ? null : [Math.min(...nulls), Math.max(...nulls)];
}

function labelOf({ title }: Metric, blocks: number, floor: number | undefined): string {
  const band = floor === undefined ? '' : `, beside the noise floor of ${printShare(floor)}`;
  return `${title}: the differences of ${blocks} blocks and their interval${band}`;
}

function titleOf(group: MetricGroup): string {
  return group.charAt(0).toUpperCase() + group.slice(1);
}
