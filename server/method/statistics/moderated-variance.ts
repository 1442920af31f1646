import type { LaunchesVariance, Variance } from '../../../shared/kinds/comparison/precision.ts';
import { fPValue } from './f-distribution.ts';
import { sumOf } from './mean.ts';

/** A variance from few units borrows from earlier measurements of the same kind. */

/** Limited even for many runs, because they cover a few days of one machine and differ in noise. */
const mostDegrees = 8;
const mostSteps = 200;
const accurate = 1e-12;

/**
 * The variance between launches, from earlier runs and the usual variance: the value that makes all of them together most likely. The
 * expected mean square of a run's launches is that variance plus the part that samples explain. Two launches that agree show a
 * variance of zero or less in half of the runs, so single runs are not cut at zero and no logarithm is taken. A run with noisy
 * samples has little weight.
 *
 * Its degrees of freedom come from the information on it, at most eight. If all runs together show no variance, it is the one that
 * chance would show. Null without degrees of freedom, or without any spread.
 * @param usual null if unknown
 */
export function fitBetweenLaunches(
  runs: readonly LaunchesVariance[],
  usual: Variance | null,
): Variance | null {
  const known = [...runs, ...(usual === null ? [] : [{ ...usual, bySamples: 0 }])].filter(
    ({ degrees }) => degrees > 0,
  );
  const most = Math.max(0, ...known.map((of) => of.variance));
  if (most === 0) return null;
  let variance = most;
  for (let step = 0; step < mostSteps; step++) {
    const weights = known.map(({ bySamples, degrees }) => degrees / (variance + bySamples) ** 2);
    const next =
      sumOf(known.map((of, index) => (weights[index] ?? 0) * (of.variance - of.bySamples))) / sumOf(weights);
    // Only halfway, and never straight to zero, because the weights are from the previous step.
    const moved = Math.max((variance + next) / 2, variance / 10);
    if (Math.abs(moved - variance) <= accurate * most) break;
    variance = moved;
  }
  const least = Math.sqrt(2 / sumOf(known.map(({ bySamples, degrees }) => degrees / bySamples ** 2)));
  variance = Math.max(variance, least);
  const degrees = sumOf(known.map((of) => of.degrees * (variance / (variance + of.bySamples)) ** 2));
  return { variance, degrees: Math.min(mostDegrees, degrees) };
}

/** Of noise as in the past, one run in a hundred is taken for noisier. */
const noisier = 0.01;

/**
 * The variance to use: the mean of the run's own and the prior's, weighted by their degrees, (d0 s0² + d s²) / (d0 + d) with
 * d0 + d degrees (Smyth, Statistical Applications in Genetics 3(1) 3, 2004). Null without degrees of its own or a prior.
 *
 * A variance much larger than its past stays unchanged, because it has another cause: if s²/s0² would be that large in fewer than
 * 1 % of runs (F test, one-sided).
 */
export function moderate(own: Variance, prior: Variance | null): Variance | null {
  if (prior === null || prior.degrees <= 0) return own.degrees > 0 ? own : null;
  if (own.degrees <= 0) return prior;
  return isNoisier(own, prior) ? own : blend(own, prior);
}

/** The weighted mean whatever it is of: where a run has too few degrees to stand alone. */
export function blend(own: Variance, prior: Variance): Variance {
  const degrees = prior.degrees + own.degrees;
  // As the limit: infinitely many degrees leave the run no say.
  if (degrees === Infinity) return { variance: prior.variance, degrees };
  return { variance: (prior.degrees * prior.variance + own.degrees * own.variance) / degrees, degrees };
}

function isNoisier(own: Variance, prior: Variance): boolean {
  if (own.variance <= prior.variance) return false;
  return fPValue(own.variance / prior.variance, [own.degrees, prior.degrees]) < noisier;
}
