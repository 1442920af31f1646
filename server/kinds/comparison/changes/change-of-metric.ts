import { differenceOf } from '../../../../shared/base/independent-estimates.ts';
import { mapEstimate } from '../../../../shared/base/map-estimate.ts';
import type { Estimate, MetricComparison } from '../../../../shared/kinds/comparison/comparison.ts';
import type { OperatingPoint } from '../../../../shared/kinds/comparison/load-profile.ts';
import type { Metric } from '../../../../shared/kinds/comparison/metric.ts';
import type { ComparedMetric, MetricChange } from '../../../../shared/kinds/comparison/result-changes.ts';
import type { RunDocument } from '../../../../shared/kinds/comparison/run.ts';
import { pointInWords } from '../../../../shared/words/at-load-words.ts';
import { compareIndependent, type Known } from '../../../method/statistics/compare-independent.ts';
import type { UntestedEvidence } from '../../../method/statistics/decide-outcome.ts';
import { toleranceFor } from '../analyse/analyse.ts';
import { blocksAtPointOf } from '../analyse/metric-blocks.ts';

type Run = Pick<RunDocument, 'metrics' | 'blocks' | 'plan'>;

/** A row without its outcome, and the evidence that decides the outcome. */
type ChangeOfMetric = {
  row: Omit<MetricChange, 'outcome' | 'reasons'>;
  evidence: UntestedEvidence;
};

/** How a metric's ratio, or its difference, changed from one run to the other: a difference of differences. */
export function changeOfMetric(metric: Metric, from: Run, to: Run): ChangeOfMetric {
  const [before, after] = [halfOf(metric, from), halfOf(metric, to)];
  const refusals = refusalsOf(metric, before, after);
  const isKnown = refusals.length === 0;
  const [one, other] = isKnown ? [knownOf(metric, before), knownOf(metric, after)] : [null, null];
  const found = one === null || other === null ? null : compareIndependent(other, one);
  const [delta, otherDelta] = [before.row?.delta ?? null, after.row?.delta ?? null];
  const isRatio = metric.scale === 'ratio';
  const shiftOf = (change: Estimate | undefined) =>
    change === undefined ? null : isRatio ? mapEstimate(change, Math.expm1) : change;
  return {
    row: {
      ...{ id: metric.id, unit: metric.unit, from: shown(before), to: shown(after) },
      ratio: isRatio && found !== null ? mapEstimate(found.shift, Math.exp) : null,
      delta: isKnown && delta !== null && otherDelta !== null ? differenceOf(otherDelta, delta) : null,
    },
    evidence: {
      ...{ metric, refusals, pValue: found?.pValue ?? 1 },
      ...{ shift: shiftOf(found?.shift), narrowShift: shiftOf(found?.narrowShift) },
      tolerance: Math.max(toleranceIn(metric, before), toleranceIn(metric, after)),
    },
  };
}

/** A metric in one of the runs. */
type Half = { run: Run; row: MetricComparison | null; point: OperatingPoint | null };

function halfOf(metric: Metric, run: Run): Half {
  const row = run.metrics.find(({ id }) => id === metric.id) ?? null;
  return { run, row, point: blocksAtPointOf(metric, run.blocks)[0]?.kind ?? null };
}

/** On the scale on which two runs are subtracted: logarithms for ratios. */
function knownOf({ scale }: Metric, { run, row }: Half): Known | null {
  if (row === null) return null;
  const degrees = degreesOf(row, run);
  if (scale === 'difference') return row.delta === null ? null : { ...row.delta, degrees };
  return row.ratio === null ? null : { ...mapEstimate(row.ratio, Math.log), degrees };
}

/** Degrees of freedom behind the interval of a row; where they were not noted, from its launches, or from the blocks of its only launch. */
function degreesOf({ pairs, precision }: MetricComparison, { blocks }: Run): number {
  if (precision !== undefined) return Math.max(1, precision.degrees);
  const launchOf = new Map(blocks.map(({ index, launch }) => [index, launch]));
  const launches = new Set(pairs.map(({ block }) => launchOf.get(block)));
  return Math.max(1, (launches.size > 1 ? launches.size : pairs.length) - 1);
}

/** Why the two figures of a metric cannot be compared. */
function refusalsOf({ scale }: Metric, before: Half, after: Half): string[] {
  const missing = [missingIn(before, scale, 'first'), missingIn(after, scale, 'second')].filter(
    (reason) => reason !== null,
  );
  const [point, other] = [before.point, after.point];
  if (missing.length > 0 || point === null || other === null || point === other) return missing;
  return [`The first run measured it ${pointInWords[point]}, the second ${pointInWords[other]}.`];
}

function missingIn({ row }: Half, scale: Metric['scale'], which: 'first' | 'second'): string | null {
  if (row === null || row.baseline === null || row.comparison === null) {
    return `The ${which} run did not measure it.`;
  }
  if (row.outcome === 'refused') {
    return [`Refused in the ${which} run.`, ...row.reasons.slice(0, 1)].join(' ');
  }
  const estimate = scale === 'ratio' ? row.ratio : row.delta;
  return estimate === null ? `The ${which} run has no interval for it.` : null;
}

function toleranceIn(metric: Metric, { run, row }: Half): number {
  return row === null ? 0 : toleranceFor(metric, row, run.plan);
}

function shown({ row }: Half): ComparedMetric | null {
  if (row === null) return null;
  const { pairs, ...rest } = row;
  return rest;
}
