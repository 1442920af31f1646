import { printChangeInterval, printQuantity } from '../../../../shared/base/quantity.ts';
import { type Shift, scaleOf, shiftOf } from '../../../../shared/base/shift.ts';
import type { MetricComparison } from '../../../../shared/kinds/comparison/comparison.ts';
import { type Metric, metricOf, metrics as registry } from '../../../../shared/kinds/comparison/metric.ts';
import type { ShownRun } from '../../../../shared/kinds/comparison/shown-run.ts';
import { weightOf } from '../../../../shared/words/digest/digest.ts';
import { describePrecision, printPlain } from '../../../../shared/words/precision-words.ts';
import type { ShiftRow } from '../../../components/shift-strip.tsx';
import { type Look, lookOfOutcome } from '../../../format/outcome.ts';
import { type ShiftAxis, shiftAxis } from '../../../format/shift-axis.ts';
import { stripOf } from './strip-view.ts';

/** The delta table as it is shown: text, words and positions. */
type DeltaView = {
  /** What the verdict is corrected for, the weightiest first. */
  primary: DeltaRow[];
  /** The others that have a figure, in the registry's order. */
  others: DeltaRow[];
  /** Those that have none. */
  unmeasured: DeltaRow[];
  axis: ShiftAxis;
  tolerance: number;
};

export type DeltaRow = {
  metric: Metric;
  anchor: string;
  baseline: string | null;
  comparison: string | null;
  shift: Shift | null;
  look: Look;
  /** Sentences that stand behind the metric's name. */
  notes: readonly string[];
  reasons: readonly string[];
  /** What its values are in another unit. */
  restated: string | null;
  /** Null where there is no change in percent. */
  strip: ShiftRow | null;
};

export function deltaView({ metrics, plan }: Pick<ShownRun, 'metrics' | 'plan'>): DeltaView {
  const said = new Set<string>();
  const order = registry.map(({ id }) => id);
  const shown = metrics
    .filter(({ id }) => !restates(metrics, id))
    .toSorted((a, b) => order.indexOf(a.id) - order.indexOf(b.id))
    .map((measured) => rowOf(measured, unsaid(measured, said), metrics, plan.tolerance));
  const primary = shown.filter(({ metric }) => metric.primary);
  const exploratory = shown.filter(({ metric }) => !metric.primary);
  return {
    primary: primary.toSorted((a, b) => weightOf(b.metric) - weightOf(a.metric)),
    others: exploratory.filter(({ shift }) => shift !== null),
    unmeasured: exploratory.filter(({ shift }) => shift === null),
    axis: shiftAxis(
      shown.flatMap(({ strip, shift }) =>
        strip === null ? [] : [{ interval: strip.interval, certain: shift?.center != null }],
      ),
      plan.tolerance,
    ),
    tolerance: plan.tolerance,
  };
}

/** Whether it says a metric that has a row of its own in another unit. */
function restates(metrics: ShownRun['metrics'], id: Metric['id']): boolean {
  const of = metricOf(id).restates;
  return of !== undefined && metrics.some((each) => each.id === of);
}

/** Most rows of a run may have the same reason, such as that it is too noisy: it stands in the first of them, and behind the names of the others. */
function unsaid({ outcome, reasons }: MetricComparison, said: Set<string>): string[] {
  if (outcome === 'refused') return reasons;
  const fresh = reasons.filter((reason) => !said.has(reason));
  for (const reason of fresh) said.add(reason);
  return fresh;
}

function rowOf(
  measured: MetricComparison,
  reasons: string[],
  metrics: ShownRun['metrics'],
  tolerance: number,
): DeltaRow {
  const metric = metricOf(measured.id);
  const { baseline, comparison, ratio, delta, outcome } = measured;
  const scale = scaleOf(measured);
  const sign = ratio !== null ? ratio.center - 1 : (delta?.center ?? 0);
  return {
    metric,
    anchor: `m-${metric.id}`,
    baseline: baseline === null ? null : printQuantity(baseline.center, scale),
    comparison: comparison === null ? null : printQuantity(comparison.center, scale),
    shift: shiftOf(measured),
    look: lookOfOutcome(outcome, sign, metric.better, tolerance),
    notes: [...measured.reasons.filter((reason) => !reasons.includes(reason)), ...notesOf(measured, metric)],
    reasons,
    restated: restatedOf(measured.id, metrics),
    strip: outcome === 'refused' ? null : stripOf(measured, metric),
  };
}

function notesOf(measured: MetricComparison, metric: Metric): string[] {
  const { launches, twinRatio, ratioOfAll, outcome } = measured;
  const notes = [metric.better === 'lower' ? 'Less is better.' : 'More is better.'];
  if (twinRatio !== null && launches.length > 0) {
    notes.push(`Twin: ${printChangeInterval(twinRatio)}.`);
  }
  if (ratioOfAll !== null && outcome !== 'refused') {
    notes.push(`With nothing set aside: ${printChangeInterval(ratioOfAll)}.`);
  }
  notes.push(...precisionNotes(measured));
  if (!metric.primary) notes.push('Exploratory: not among the metrics that the verdict is corrected for.');
  return notes;
}

/** `95 % CI from 5 launches and 12 earlier runs; from this run alone −1.0 to +12.0 %.` */
function precisionNotes(measured: MetricComparison): string[] {
  const [first, ...others] = describePrecision(measured);
  if (first === undefined) return [];
  const plain = printPlain(measured);
  const alone = plain === null || measured.precision?.prior == null ? '' : `; from this run alone ${plain}`;
  return [`95 % CI from${first.slice('From'.length, -1)}${alone}.`, ...others];
}

/** `6,776,953 and 4,967,508 in 10 minutes`; null where nothing says the metric in another unit. */
function restatedOf(id: Metric['id'], metrics: ShownRun['metrics']): string | null {
  const other = metrics.find((each) => metricOf(each.id).restates === id);
  if (other?.baseline == null || other.comparison === null) return null;
  const scale = { ...scaleOf(other), symbol: '' };
  const [baseline, comparison] = [other.baseline, other.comparison].map(({ center }) =>
    printQuantity(center, { ...scale, decimals: 0 }).trim(),
  );
  return `${baseline} and ${comparison} in 10 minutes`;
}
