import { lessOne, mapEstimate } from '../../../shared/base/estimate-arithmetic.ts';
import type { Estimate } from '../../../shared/base/units.ts';
import type {
  LaunchesVariance,
  MetricComparison,
  Prior,
  VerdictOutcome,
} from '../../../shared/kinds/comparison/comparison.ts';
import {
  type MetricId,
  metricIds,
  metricOf,
  type PrimaryMetricId,
  primaryMetrics,
} from '../../../shared/kinds/comparison/metric.ts';
import type { Past, Pool, PooledMetric, RunOfQuestion } from '../../../shared/kinds/comparison/past.ts';
import type { TargetKind } from '../../../shared/target/target.ts';
import { fitBetweenLaunches, moderate, studentQuantile } from '../../method/statistics/distributions.ts';
import { meanOf } from '../../method/statistics/mean.ts';
import { decideOutcome } from '../../method/statistics/outcome-decision.ts';
import { type PooledRuns, poolRuns } from '../../method/statistics/pool-runs.ts';
import { errorAmongRuns, widenedBy } from '../../method/statistics/precision.ts';
import {
  comparableRuns,
  differenceAbout,
  differenceOf as differenceOfRuns,
  estimateOf,
  isSameLoad,
  type MadeWith,
} from './comparable-runs.ts';

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
    baseline: Math.exp(meanOf(holding.map(({ metrics }) => Math.log(metrics[id]?.baseline ?? Number.NaN)))),
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

/** A run's contribution to a pool. */
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

/** Older ones say less of the machine as it is now. */
const mostRuns = 30;
/** With fewer runs, only the usual variance is used. */
const fewestRuns = 3;

/**
 * Variance between launches per metric, from earlier runs of the machine and the usual value.
 * @param found each run's own variance, without a prior, newest first
 */
export function betweenLaunchesPriors(
  found: readonly (LaunchesVariance & { metric: MetricId })[],
  target: TargetKind,
): Past['betweenLaunches'] {
  const priors: Past['betweenLaunches'] = {};
  for (const id of metricIds) {
    const runs = found.filter(({ metric, degrees }) => metric === id && degrees > 0).slice(0, mostRuns);
    const fitted =
      runs.length < fewestRuns ? null : fitBetweenLaunches(runs, shippedBetweenLaunches(id, target));
    if (fitted !== null) priors[id] = { ...fitted, runs: runs.length, from: 'history' };
  }
  return priors;
}

/** However many runs it comes from: what moved between runs is known of a few days of one machine. */
const mostDegrees = 8;

/**
 * Variance between runs of a question, beyond their own errors. It is moderated by usual values: with three or four
 * runs, chance alone often shows none, and an interval that counted on that would be too narrow.
 * @param earlier oldest first
 */
export function betweenRunsPriors(
  own: MadeWith & Pick<RunOfQuestion, 'atLoad'>,
  earlier: readonly RunOfQuestion[],
  target: TargetKind,
): Past['betweenRuns'] {
  const alike = earlier.filter(
    (run) => differenceOfRuns(run, own) === null && isSameLoad(run.atLoad, own.atLoad),
  );
  const newest = alike.at(-1);
  if (newest === undefined) return {};
  const runs = [...comparableRuns(newest, alike.slice(0, -1)).runs, newest];
  const priors: Past['betweenRuns'] = {};
  for (const id of primaryMetrics) {
    const prior = betweenRunsPrior(runs, id, target);
    if (prior !== null) priors[id] = prior;
  }
  return priors;
}

function betweenRunsPrior(runs: readonly RunOfQuestion[], id: MetricId, target: TargetKind): Prior | null {
  const estimates = runs.flatMap((run) => estimateOf(run, id) ?? []);
  if (estimates.length < fewestRuns) return null;
  const pooled = poolRuns(estimates);
  if (pooled === null) return null;
  const fitted = { variance: pooled.between, degrees: estimates.length - 1 };
  const { variance, degrees } = moderate(fitted, shippedBetweenRuns(id, target)) ?? fitted;
  return { variance, degrees: Math.min(mostDegrees, degrees), runs: estimates.length, from: 'history' };
}

/**
 * Usual spreads for a machine without history: between launches beyond what their samples explain, and between runs beyond their
 * errors. Standard deviations of log ratios: 0.02 is 2 %. From 44 runs of `npm run bench -- repeat` in a quiet hour, 2026-11-27, rounded up,
 * because a week moves more than an hour.
 */
type Usual = Record<TargetKind, Partial<Record<MetricId, number>>>;

/** Low, because machines differ: a run's own launches soon outweigh these values. */
const degreesBetweenLaunches = 2;
const degreesBetweenRuns = 3;

/** None for `origins`, because a running target has one launch. */
const betweenLaunches: Usual = {
  storefront: { cpu_at_load: 0.0075, throughput: 0.0075, latency_p50: 0.006, cpu_lone: 0.01 },
  managed: { cpu_at_load: 0.005, throughput: 0.0075, latency_p50: 0.004, cpu_lone: 0.01 },
  origins: {},
};
/** A transaction of the storefront is mostly its own work, of which its launches show what moves: 0 was fitted there. */
const betweenRuns: Usual = {
  storefront: { cpu_at_load: 0.005, throughput: 0.005, latency_p50: 0.002, cpu_lone: 0.01 },
  managed: { cpu_at_load: 0.01, throughput: 0.01, latency_p50: 0.004, cpu_lone: 0.01 },
  origins: { cpu_at_load: 0.01, throughput: 0.0125, latency_p50: 0.005, cpu_lone: 0.01 },
};

/** Whether the interval of one run includes what moves between runs. */
export function movesBetweenRuns(target: TargetKind): boolean {
  return target !== 'storefront';
}

export function shippedBetweenLaunches(metric: MetricId, target: TargetKind): Prior | null {
  return priorOf(betweenLaunches, degreesBetweenLaunches, metric, target);
}

export function shippedBetweenRuns(metric: MetricId, target: TargetKind): Prior | null {
  return priorOf(betweenRuns, degreesBetweenRuns, metric, target);
}

function priorOf(usual: Usual, degrees: number, metric: MetricId, target: TargetKind): Prior | null {
  const deviation = usual[target][metric === 'transactions_per_10_min' ? 'throughput' : metric];
  return deviation === undefined ? null : { variance: deviation ** 2, degrees, runs: 0, from: 'shipped' };
}
