import { type MetricId, metricIds, primaryMetrics } from '../../../../shared/kinds/comparison/metric.ts';
import type { Past, RunOfQuestion } from '../../../../shared/kinds/comparison/past.ts';
import type { LaunchesVariance, Prior } from '../../../../shared/kinds/comparison/precision.ts';
import type { TargetKind } from '../../../../shared/target/target.ts';
import { fitBetweenLaunches, moderate } from '../../../method/statistics/moderated-variance.ts';
import { poolRuns } from '../../../method/statistics/pool-runs.ts';
import {
  comparableRuns,
  differenceOf,
  estimateOf,
  isSameLoad,
  type MadeWith,
} from '../series/comparable-runs.ts';
import { shippedBetweenLaunches, shippedBetweenRuns } from './shipped-priors.ts';

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
 * What moves between runs of a question, beyond their own errors. It is moderated by what is usual: of three or four
 * runs, chance alone often shows none, and an interval that counted on that would be too narrow.
 * @param earlier oldest first
 */
export function betweenRunsPriors(
  own: MadeWith & Pick<RunOfQuestion, 'atLoad'>,
  earlier: readonly RunOfQuestion[],
  target: TargetKind,
): Past['betweenRuns'] {
  const alike = earlier.filter(
    (run) => differenceOf(run, own) === null && isSameLoad(run.atLoad, own.atLoad),
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
