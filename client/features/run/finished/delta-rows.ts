import { printChangeInterval, printQuantity } from '../../../../shared/base/quantity.ts';
import { scaleOf, shiftOf } from '../../../../shared/base/shift.ts';
import type { MetricComparison } from '../../../../shared/kinds/comparison/comparison.ts';
import { ciOf } from '../../../../shared/kinds/comparison/comparison.ts';
import { type Metric, metricOf, metrics as registry } from '../../../../shared/kinds/comparison/metric.ts';
import type { ShownRun } from '../../../../shared/kinds/comparison/shown-run.ts';
import { weightOf } from '../../../../shared/words/digest/digest.ts';
import { describePrecision, printPlain } from '../../../../shared/words/precision-words.ts';
import { lookOfOutcome } from '../../../format/outcome.ts';
import {
  type DeltaParts,
  deltaParts,
  freshReasons,
  type ShownDelta,
  stripOf,
} from '../../../format/shown-delta.ts';

/** Every metric of a run that has a row; primary ones by their weight, the others in the registry's order. */
export function deltaView({ metrics, plan }: Pick<ShownRun, 'metrics' | 'plan'>): DeltaParts {
  const said = new Set<string>();
  const order = registry.map(({ id }) => id);
  const shown = metrics
    .filter(({ id }) => !restates(metrics, id))
    .toSorted((a, b) => order.indexOf(a.id) - order.indexOf(b.id))
    .map((measured) => ({
      metric: metricOf(measured.id),
      row: rowOf(measured, freshReasons(measured, said), metrics, plan.tolerance),
    }));
  const primary = shown.filter(({ metric }) => metric.primary);
  return deltaParts(
    primary.toSorted((a, b) => weightOf(b.metric) - weightOf(a.metric)).map(({ row }) => row),
    shown.filter(({ metric }) => !metric.primary).map(({ row }) => row),
    plan.tolerance,
  );
}

/** Whether it says a metric that has a row of its own in another unit. */
function restates(metrics: ShownRun['metrics'], id: Metric['id']): boolean {
  const of = metricOf(id).restates;
  return of !== undefined && metrics.some((each) => each.id === of);
}

function rowOf(
  measured: MetricComparison,
  reasons: readonly string[],
  metrics: ShownRun['metrics'],
  tolerance: number,
): ShownDelta {
  const metric = metricOf(measured.id);
  const { baseline, comparison, ratio, delta, outcome, launches, pairs } = measured;
  const behind = measured.reasons.filter((reason) => !reasons.includes(reason));
  const scale = scaleOf(measured);
  const sign = ratio !== null ? ratio.center - 1 : (delta?.center ?? 0);
  return {
    id: metric.id,
    anchor: `m-${metric.id}`,
    title: metric.title,
    meaning: [metric.definition, ...behind, ...notesOf(measured, metric)].join(' '),
    lines: [...restatedOf(metric.id, metrics), ...reasons],
    baseline: baseline === null ? null : printQuantity(baseline.center, scale),
    comparison: comparison === null ? null : printQuantity(comparison.center, scale),
    shift: shiftOf(measured),
    look: lookOfOutcome(outcome, sign, metric.better, tolerance),
    strip:
      launches.length > 0
        ? stripOf(
            measured,
            metric.title,
            launches.map((launch) => launch.ratio.center),
            'launch',
          )
        : stripOf(
            measured,
            metric.title,
            pairs.flatMap(({ value, aside }) => (aside === true ? [] : [value])),
            'sample',
          ),
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
  return [`${ciOf(measured)} from${first.slice('From'.length, -1)}${alone}.`, ...others];
}

/** `6,776,953 and 4,967,508 in 10 minutes`; nothing where no other metric says it in another unit. */
function restatedOf(id: Metric['id'], metrics: ShownRun['metrics']): string[] {
  const other = metrics.find((each) => metricOf(each.id).restates === id);
  if (other?.baseline == null || other.comparison === null) return [];
  const scale = { ...scaleOf(other), symbol: '' };
  const [baseline, comparison] = [other.baseline, other.comparison].map(({ center }) =>
    printQuantity(center, { ...scale, decimals: 0 }).trim(),
  );
  return [`${baseline} and ${comparison} in 10 minutes`];
}
