import { printChangeInterval, printQuantity } from '../../../../shared/base/quantity.ts';
import { scaleOf, shiftOf } from '../../../../shared/base/shift.ts';
import { labelsOf } from '../../../../shared/base/transport.ts';
import type { MetricComparison } from '../../../../shared/kinds/comparison/comparison.ts';
import { metricOf } from '../../../../shared/kinds/comparison/metric.ts';
import type { RunDocument } from '../../../../shared/kinds/comparison/run.ts';
import { wordOfOutcome } from '../../../../shared/words/outcome-word.ts';

/** The delta table as text, for Markdown and for the terminal: the digits and the rules of the screen. */
export type DeltaRow = {
  id: string;
  title: string;
  baseline: string;
  comparison: string;
  /** In the metric's unit; empty where only the interval may be printed. */
  delta: string;
  /** As a change in percent, or in the unit where there is no ratio; empty when refused. */
  shift: string;
  interval: string;
  outcome: string;
  /** Interval of the twin against the baseline; empty without one. */
  twin: string;
  reasons: readonly string[];
};

export function deltaRows({ metrics, plan }: Pick<RunDocument, 'metrics' | 'plan'>): DeltaRow[] {
  return metrics.map((row) => {
    const { id, baseline, comparison, reasons } = row;
    const scale = scaleOf(row);
    return {
      id,
      title: metricOf(id).title,
      baseline: baseline === null ? '' : printQuantity(baseline.center, scale),
      comparison: comparison === null ? '' : printQuantity(comparison.center, scale),
      ...printShift(row),
      outcome: wordOfOutcome(row, plan.tolerance),
      twin: row.twinRatio === null ? '' : printChangeInterval(row.twinRatio),
      reasons,
    };
  });
}

/** Names of the two columns. */
export function columnTitles({ sides }: Pick<RunDocument, 'sides'>): [string, string] {
  const { baseline, comparison } = labelsOf(sides);
  return [baseline, comparison];
}

/** The interval alone stands in for a difference that is not real. */
function printShift(row: MetricComparison): Pick<DeltaRow, 'delta' | 'shift' | 'interval'> {
  const shift = shiftOf(row);
  const center = shift?.center ?? '';
  const byRatio = row.ratio !== null;
  return {
    delta: byRatio ? (shift?.absolute ?? '') : center,
    shift: byRatio ? center : '',
    interval: shift?.interval ?? '',
  };
}
