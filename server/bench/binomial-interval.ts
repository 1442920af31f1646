import type { Estimate } from '../../shared/kinds/comparison/comparison.ts';
import { betaQuantile } from './beta-quantile.ts';

/**
 * The exact interval of a share (Clopper and Pearson, Biometrika 26, 1934): every share that a two-sided binomial test of
 * this count would not reject. It covers at least as often as it says. Null without a trial.
 */
export function binomialInterval(successes: number, trials: number, confidence = 0.95): Estimate | null {
  if (trials === 0) return null;
  const tail = (1 - confidence) / 2;
  return {
    center: successes / trials,
    lo: successes === 0 ? 0 : betaQuantile(tail, successes, trials - successes + 1),
    hi: successes === trials ? 1 : betaQuantile(1 - tail, successes + 1, trials - successes),
  };
}
