import { capitalized } from '../../../../shared/base/capitalized.ts';
import { printChangeInterval, printQuantity } from '../../../../shared/base/quantity.ts';
import { type Shift, scaleOf, shiftOf } from '../../../../shared/base/shift.ts';
import type { MetricComparison } from '../../../../shared/kinds/comparison/comparison.ts';
import { type Metric, type MetricGroup, metricOf } from '../../../../shared/kinds/comparison/metric.ts';
import { metricGroupSchema } from '../../../../shared/kinds/comparison/metric-schema.ts';
import type { ShownRun } from '../../../../shared/kinds/comparison/shown-run.ts';
import { describePrecision, printPlain } from '../../../../shared/words/precision-words.ts';
import type { Strip } from '../../../components/distribution-strip.tsx';
import { type Look, lookOfOutcome } from '../../../format/outcome.ts';
import { stripOf } from './strip-view.ts';

/** The delta table as it is shown: text, words and positions, grouped and in the registry's order. */
export type DeltaGroup = { title: string; anchor: string; rows: DeltaRow[] };

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
  strip: Strip | null;
};

export function deltaGroups({ metrics, plan }: Pick<ShownRun, 'metrics' | 'plan'>): DeltaGroup[] {
  const said = new Set<string>();
  return metricGroupSchema.options.flatMap((group) => {
    const rows = metrics
      .filter(({ id }) => metricOf(id).group === group)
      .map((measured) => rowOf(measured, unsaid(measured, said), plan.tolerance));
    return rows.length === 0 ? [] : [{ title: titleOf(group), anchor: anchorOf(group), rows }];
  });
}

/** In a noisy run most rows are inconclusive for the same reason: it stands in the first of them, and behind the names of the others. */
function unsaid({ outcome, reasons }: MetricComparison, said: Set<string>): string[] {
  if (outcome !== 'inconclusive') return reasons;
  const fresh = reasons.filter((reason) => !said.has(reason));
  for (const reason of fresh) said.add(reason);
  return fresh;
}

/** `m-cpu`, `m-execution-time`. */
export function anchorOf(name: string): string {
  return `m-${name.toLowerCase().replaceAll(' ', '-')}`;
}

function rowOf(measured: MetricComparison, reasons: string[], tolerance: number): DeltaRow {
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

function titleOf(group: MetricGroup): string {
  return capitalized(group);
}
