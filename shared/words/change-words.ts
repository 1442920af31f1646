import { type Shift, shiftOf } from '../base/shift.ts';
import type { VerdictOutcome } from '../kinds/comparison/comparison.ts';
import { metricOf } from '../kinds/comparison/metric.ts';
import type { ChangeOutcome, ComparedMetric, MetricChange } from '../kinds/comparison/result-changes.ts';

/** A change of a metric as text; screen, Markdown and terminal all keep to it. */

/** What may be printed of the change itself; null where it is not known. */
export function changeShiftOf({ unit, from, to, ratio, delta, outcome }: MetricChange): Shift | null {
  const sides = { baseline: from?.comparison ?? null, comparison: to?.comparison ?? null };
  const shift = shiftOf({ ...sides, unit, ratio, delta, outcome: asVerdict[outcome] });
  // The change in percent is of the ratios: what the difference in the unit became depends on the baselines as well.
  return shift === null ? null : { ...shift, absolute: null, absoluteInterval: null };
}

const asVerdict: Record<ChangeOutcome, VerdictOutcome> = {
  changed: 'overhead',
  no_change: 'no_overhead',
  inconclusive: 'inconclusive',
  unknown: 'refused',
};

/** `+18.0 % (+16.2 to +19.9 %)`, or the interval alone where the overhead is not certain. */
export function printOverhead(row: ComparedMetric | null): string {
  return printShift(row === null ? null : shiftOf(row));
}

function printShift(shift: Shift | null): string {
  if (shift === null) return '–';
  return shift.center === null ? shift.interval : `${shift.center} (${shift.interval})`;
}

export type ChangeWord = 'Better' | 'Worse' | 'No change' | 'Inconclusive' | 'Not comparable';

/** Of a change that is certain, whether the side that should cost more now costs less. */
export function wordOfChange(row: MetricChange): ChangeWord {
  if (row.outcome === 'no_change') return 'No change';
  if (row.outcome === 'inconclusive') return 'Inconclusive';
  if (row.outcome === 'unknown') return 'Not comparable';
  return hasGrown(row) === (metricOf(row.id).better === 'higher') ? 'Better' : 'Worse';
}

export function hasGrown({ ratio, delta }: Pick<MetricChange, 'ratio' | 'delta'>): boolean {
  return ratio === null ? (delta?.center ?? 0) > 0 : ratio.center > 1;
}
