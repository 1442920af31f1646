import type { MetricComparison, VerdictOutcome } from '../../../../shared/comparison.ts';
import { metricOf } from '../../../../shared/metric.ts';
import { printQuantity } from '../../../../shared/quantity.ts';
import type { RunDocument } from '../../../../shared/run.ts';
import { scaleOf, shiftOf } from '../../../../shared/shift.ts';
import { transportNames } from '../../../../shared/transport.ts';

/** The delta table as text, for Markdown and for the terminal: the digits and the rules of the screen. */
export type DeltaRow = {
  id: string;
  title: string;
  http: string;
  https: string;
  /** In the metric's unit; empty where only the interval may be printed. */
  delta: string;
  /** As a change in percent, or in the unit where there is no ratio; empty when refused. */
  shift: string;
  interval: string;
  outcome: string;
  reasons: readonly string[];
};

export function deltaRows({ metrics }: Pick<RunDocument, 'metrics'>): DeltaRow[] {
  return metrics.map((comparison) => {
    const { id, http, https, outcome, reasons } = comparison;
    const scale = scaleOf(comparison);
    return {
      id,
      title: metricOf(id).title,
      http: http === null ? '' : printQuantity(http.center, scale),
      https: https === null ? '' : printQuantity(https.center, scale),
      ...printShift(comparison),
      outcome: wordOf(outcome, comparison),
      reasons,
    };
  });
}

/** Names of the two columns: what each side spoke, told apart when both spoke the same. */
export function columnTitles({ target }: Pick<RunDocument, 'target'>): [string, string] {
  const [baseline, comparison] = target.transports;
  const same = baseline === comparison;
  return [
    `${transportNames[baseline]}${same ? ' A' : ''}`,
    `${transportNames[comparison]}${same ? ' B' : ''}`,
  ];
}

/** The interval alone stands in for a difference that is not real. */
function printShift(comparison: MetricComparison): Pick<DeltaRow, 'delta' | 'shift' | 'interval'> {
  const shift = shiftOf(comparison);
  const center = shift?.center ?? '';
  const byRatio = comparison.ratio !== null;
  return {
    delta: byRatio ? (shift?.absolute ?? '') : center,
    shift: byRatio ? center : '',
    interval: shift?.interval ?? '',
  };
}

function wordOf(outcome: VerdictOutcome, { id, ratio, delta }: MetricComparison): string {
  if (outcome !== 'overhead') return outcome.replace('_', ' ');
  const grew = ratio === null ? (delta?.center ?? 0) > 0 : ratio.center > 1;
  return grew === (metricOf(id).better === 'lower') ? 'overhead' : 'negative overhead';
}
