import type { Variance } from '../../../shared/kinds/comparison/precision.ts';
import { fPValue } from './f-distribution.ts';

/**
 * A variance from few units borrows from those of earlier measurements of the same kind.
 * Source: Smyth, Linear Models and Empirical Bayes Methods, Statistical Applications in Genetics 3(1) 3 (2004), as limma.
 */

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
