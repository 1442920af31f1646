import type { LaunchesVariance, Variance } from '../../../shared/kinds/comparison/precision.ts';
import { fPValue } from './f-distribution.ts';
import { sumOf } from './mean.ts';

/** A variance from few units borrows from those of earlier measurements of the same kind. */

/** However many runs it comes from, it is known of a few days of one machine, and runs of unlike noise are in it. */
const mostDegrees = 8;
const mostSteps = 200;
const accurate = 1e-12;

/**
 * What lies between launches, from what earlier runs saw and what is usual: the variance at which all of it together is most likely, a
 * mean square of launches having the expectation of that variance and what samples explain. Two launches that agree show a variance
 * of zero or less in half of the runs; nothing is cut before all are together, and no logarithm is taken of any. A run
 * whose samples are noisy counts for as little as it knows.
 *
 * Its degrees of freedom are those that the information on it is worth, eight at most. Where all together show none, it is what chance
 * would show of none. Null where nothing has degrees of freedom, or nothing any spread.
 * @param usual null where nothing is known of it
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
    // Halfway, and never at once to none: the weights were those of the step before.
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
 * One that is larger than its past stays its own, as it has another cause: where s²/s0² would be so large in fewer than 1 % of
 * runs (F test, one-sided).
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
