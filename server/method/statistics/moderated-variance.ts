import type { Variance } from '../../../shared/kinds/comparison/precision.ts';
import { fPValue } from './f-distribution.ts';
import { meanOf } from './mean.ts';
import { digamma, inverseTrigamma, trigamma } from './polygamma.ts';
import { median } from './quantile.ts';

/**
 * A variance from few units borrows from those of earlier measurements of the same kind.
 * Source: Smyth, Linear Models and Empirical Bayes Methods, Statistical Applications in Genetics 3(1) 3 (2004), as limma.
 */

/**
 * However alike its past, a run keeps a say of its own: with five launches, half of it. Four is also few enough that the
 * prior's own error (it rests on a few runs of a machine that changes) is covered by Student's t.
 */
const mostPriorDegrees = 4;

const fewestVariances = 3;
/** Of the median; a variance of exactly zero has no logarithm. */
const leastVariance = 1e-5;

/**
 * The scaled F distribution that earlier variances were drawn from: their typical variance s0², and as degrees d0 how alike
 * they were, 4 at most. It equates the mean and the variance of log s² with those of log F. Null for fewer than three
 * variances, or none above zero.
 * As limma's `fitFDist` without a covariate, but that a median of zero is replaced by that of the variances above zero, where
 * limma takes 1, which supposes a scale.
 */
export function fitPrior(variances: readonly Variance[]): Variance | null {
  const known = variances.filter(
    ({ variance, degrees }) => Number.isFinite(variance) && variance >= 0 && degrees > 0,
  );
  const positive = known.flatMap(({ variance }) => (variance > 0 ? [variance] : []));
  if (known.length < fewestVariances || positive.length === 0) return null;
  const middle = median(known.map(({ variance }) => variance)) || median(positive);
  const offset = known.map(({ variance }) => Math.max(variance, leastVariance * middle));
  const logs = known.map(({ degrees }, index) => {
    const half = degrees / 2;
    return Math.log(offset[index] ?? middle) - digamma(half) + Math.log(half);
  });
  const mean = meanOf(logs);
  const spread = logs.reduce((sum, log) => sum + (log - mean) ** 2, 0) / (logs.length - 1);
  const excess = spread - meanOf(known.map(({ degrees }) => trigamma(degrees / 2)));
  // No more apart than one variance estimated again and again would be.
  if (excess <= 0) return { variance: meanOf(offset), degrees: mostPriorDegrees };
  const half = inverseTrigamma(excess);
  return {
    variance: Math.exp(mean + digamma(half) - Math.log(half)),
    degrees: Math.min(2 * half, mostPriorDegrees),
  };
}

export type Moderated = Variance & {
  /** From the prior. */
  borrowed: boolean;
};

/** Of noise as in the past, one run in a hundred is taken for noisier. */
const noisier = 0.01;

/**
 * The variance to use: the mean of the run's own and the prior's, weighted by their degrees, (d0 s0² + d s²) / (d0 + d) with
 * d0 + d degrees. Without degrees of its own, the prior's alone; null when there is no prior either.
 *
 * A run that is noisier than its past keeps its own variance: its noise has another cause, so to average it with the calm
 * past would print an interval that is too narrow just when the machine is disturbed. That is where s²/s0² would be so large in
 * fewer than 1 % of runs (F test, one-sided). A calmer run is widened by its past, which costs width and no coverage.
 */
export function moderate(own: Variance, prior: Variance | null): Moderated | null {
  const plain = { variance: own.variance, degrees: own.degrees, borrowed: false };
  if (prior === null || prior.degrees <= 0) return own.degrees > 0 ? plain : null;
  if (own.degrees <= 0) return { variance: prior.variance, degrees: prior.degrees, borrowed: true };
  return isNoisier(own, prior) ? plain : blend(own, prior);
}

/** The weighted mean whatever it is of: where a run has too few degrees to stand alone. */
export function blend(own: Variance, prior: Variance): Moderated {
  const degrees = prior.degrees + own.degrees;
  // As the limit: infinitely many degrees leave the run no say.
  if (degrees === Infinity) return { variance: prior.variance, degrees, borrowed: true };
  const variance = (prior.degrees * prior.variance + own.degrees * own.variance) / degrees;
  return { variance, degrees, borrowed: true };
}

function isNoisier(own: Variance, prior: Variance): boolean {
  if (own.variance <= prior.variance) return false;
  return fPValue(own.variance / prior.variance, [own.degrees, prior.degrees]) < noisier;
}
