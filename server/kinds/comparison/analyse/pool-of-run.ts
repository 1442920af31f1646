import { lessOne, mapEstimate } from '../../../../shared/base/map-estimate.ts';
import type {
  Estimate,
  MetricComparison,
  VerdictOutcome,
} from '../../../../shared/kinds/comparison/comparison.ts';
import {
  metricOf,
  type PrimaryMetricId,
  primaryMetrics,
} from '../../../../shared/kinds/comparison/metric.ts';
import type { RunOfQuestion } from '../../../../shared/kinds/comparison/past.ts';
import type { Pool, PooledMetric } from '../../../../shared/kinds/comparison/pool.ts';
import type { TargetKind } from '../../../../shared/target/target.ts';
import { decideOutcome } from '../../../method/statistics/decide-outcome.ts';
import { type PooledRuns, poolRuns } from '../../../method/statistics/pool-runs.ts';
import { errorAmongRuns, widenedBy } from '../../../method/statistics/precision.ts';
import { studentQuantile } from '../../../method/statistics/student-t.ts';
import { comparableRuns, differenceAbout, estimateOf } from '../series/comparable-runs.ts';
import { shippedBetweenRuns } from './shipped-priors.ts';

type Question = { tolerance: number; target: TargetKind };

/**
 * A run and the earlier runs of its question as one answer. The errors are those without what moves between runs, which pooling
 * adds once for all. Null where nothing came before it, and where it has no primary metric itself.
 * @param earlier oldest first
 * @param tolerance of the run: what is too little to matter, as a share
 */
export function poolOfRun(own: RunOfQuestion, earlier: readonly RunOfQuestion[], of: Question): Pool | null {
  if (earlier.length === 0 || Object.keys(own.metrics).length === 0) return null;
  const { runs, leftOut } = comparableRuns(own, earlier);
  const metrics: Pool['metrics'] = {};
  for (const id of primaryMetrics) {
    const pooled = own.metrics[id] === undefined ? null : pooledMetric([...runs, own], own, id, of);
    if (pooled !== null) metrics[id] = pooled;
  }
  return { metrics, leftOut };
}

function pooledMetric(
  runs: readonly RunOfQuestion[],
  own: RunOfQuestion,
  id: PrimaryMetricId,
  { tolerance, target }: Question,
): PooledMetric | null {
  const holding = runs.filter(({ metrics }) => metrics[id] !== undefined);
  const estimates = holding.flatMap((run) => estimateOf(run, id) ?? []);
  const pooled = poolRuns(estimates, shippedBetweenRuns(id, target));
  if (pooled === null) return null;
  return {
    ratio: ratioAt(pooled, 0.95),
    ...pooledDifference(holding, own, id, target),
    outcome: outcomeOf(pooled, id, tolerance),
    runs: holding.map((run) => run.id),
    between: Math.sqrt(pooled.between),
  };
}

/** Runs differ by the same share of the comparison in both units. */
function pooledDifference(
  runs: readonly RunOfQuestion[],
  own: RunOfQuestion,
  id: PrimaryMetricId,
  target: TargetKind,
): Pick<PooledMetric, 'difference'> {
  const differences = runs.flatMap((run) => differenceAbout(own, run, id) ?? []);
  const of = own.metrics[id];
  const prior = shippedBetweenRuns(id, target);
  if (of === undefined || differences.length < 2) return {};
  const whole = of.baseline * Math.exp(of.center);
  const scaled = prior === null ? null : { ...prior, variance: prior.variance * whole ** 2 };
  const pooled = poolRuns(differences, scaled);
  if (pooled === null) return {};
  const { center, lo, hi } = pooled;
  return { difference: { center, lo, hi, runs: differences.length } };
}

function ratioAt({ center, standardError, degrees }: PooledRuns, confidence: number): Estimate {
  const reach = studentQuantile(confidence, degrees) * standardError;
  return mapEstimate({ center, lo: center - reach, hi: center + reach }, Math.exp);
}

function outcomeOf(pooled: PooledRuns, id: PrimaryMetricId, tolerance: number): VerdictOutcome {
  const shiftAt = (confidence: number) => mapEstimate(ratioAt(pooled, confidence), lessOne);
  const [shift, narrowShift] = [shiftAt(0.95), shiftAt(0.9)];
  const evidence = { metric: metricOf(id), shift, narrowShift, tolerance, refusals: [], withheld: null };
  // Its interval decides: nothing withholds the claim of one question that is asked again.
  return decideOutcome({ ...evidence, pValue: 0 }).outcome;
}

/** What a run brings into a pool. */
export function pooledPartsOf(rows: readonly MetricComparison[]): RunOfQuestion['metrics'] {
  const parts: RunOfQuestion['metrics'] = {};
  for (const { id, outcome, precision, baseline, delta, ratio } of rows) {
    if (!primaryMetrics.some((primary) => primary === id) || outcome === 'refused') continue;
    if (precision === undefined || baseline === null || baseline.center <= 0) continue;
    const { center, withinError: error } = precision;
    const widened = widenedBy(precision);
    parts[id] = {
      ...{ center, error, widened, baseline: baseline.center },
      ...differenceOf({ delta, ratio, error: errorAmongRuns({ withinError: error, widened }) }),
    };
  }
  return parts;
}

/**
 * The difference of a run with its error among runs: both of its intervals rest on the same samples, so their errors are to each other as
 * their widths.
 * @param error of the logarithm of the ratio, among runs
 */
export function differenceOf({
  delta,
  ratio,
  error,
}: {
  delta: Estimate | null;
  ratio: Estimate | null;
  error: number;
}): { difference?: { center: number; error: number } } {
  if (delta === null || ratio === null || ratio.lo <= 0) return {};
  const width = Math.log(ratio.hi / ratio.lo);
  return width > 0
    ? { difference: { center: delta.center, error: (error * (delta.hi - delta.lo)) / width } }
    : {};
}
