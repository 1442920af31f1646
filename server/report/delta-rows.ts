import type { Estimate, MetricComparison, VerdictOutcome } from '../../shared/comparison.ts';
import { metricOf } from '../../shared/metric.ts';
import {
  intervalDecimals,
  printChange,
  printChangeInterval,
  printDifference,
  printNumber,
  printQuantity,
  type Scale,
  scaleFor,
} from '../../shared/quantity.ts';
import type { RunDocument } from '../../shared/run.ts';

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
      ...shiftOf(comparison, scale),
      outcome: wordOf(outcome, comparison),
      reasons,
    };
  });
}

/** Names of the two columns: what each side spoke, told apart when both spoke the same. */
export function columnTitles({ target }: Pick<RunDocument, 'target'>): [string, string] {
  const [baseline, comparison] = target.transports;
  const same = baseline === comparison;
  return [`${baseline.toUpperCase()}${same ? ' A' : ''}`, `${comparison.toUpperCase()}${same ? ' B' : ''}`];
}

/** A centre is printed only where the difference is real; else the interval alone. */
function shiftOf(
  { outcome, ratio, delta }: MetricComparison,
  scale: Scale,
): Pick<DeltaRow, 'delta' | 'shift' | 'interval'> {
  const real = outcome === 'overhead';
  if (outcome === 'refused') return { delta: '', shift: '', interval: '' };
  if (ratio !== null) {
    return {
      delta: real && delta !== null ? printDifference(delta.center, scale) : '',
      shift: real ? printChange(ratio.center, intervalDecimals(ratio)) : '',
      interval: printChangeInterval(ratio),
    };
  }
  if (delta === null) return { delta: '', shift: '', interval: '' };
  return {
    delta: real ? printDifference(delta.center, scale) : '',
    shift: '',
    interval: `${printSigned(delta.lo, scale)} to ${printDifference(delta.hi, scale)}`,
  };
}

/** One scale a row: both sides and their difference show the same digits of the same unit. */
function scaleOf({ unit, http, https, delta }: MetricComparison): Scale {
  const sides = [http, https].filter((side): side is Estimate => side !== null).map(({ center }) => center);
  return scaleFor(unit, sides, delta === null ? [] : [delta.center]);
}

function wordOf(outcome: VerdictOutcome, { id, ratio, delta }: MetricComparison): string {
  if (outcome !== 'overhead') return outcome.replace('_', ' ');
  const grew = ratio === null ? (delta?.center ?? 0) > 0 : ratio.center > 1;
  return grew === (metricOf(id).better === 'lower') ? 'overhead' : 'negative overhead';
}

function printSigned(value: number, { divisor, decimals }: Scale): string {
  const text = printNumber(value / divisor, decimals);
  return text.startsWith('−') ? text : `+${text}`;
}
