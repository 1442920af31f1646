import { mapEstimate } from '../../shared/base/estimate-arithmetic.ts';
import type { Estimate } from '../../shared/base/units.ts';
import { incompleteBeta } from '../method/statistics/distributions.ts';
import { launchInterval } from '../method/statistics/intervals.ts';
import { meanOf } from '../method/statistics/mean.ts';

/** Student's interval of the mean of values that have nothing in common. Null with fewer than two. */
export function meanInterval(values: readonly number[]): Estimate | null {
  const interval = launchInterval(values.map((value, launch) => ({ launch, value })));
  return mapEstimate(interval, (each) => each);
}

/** Standard deviation about the values' own mean; null with fewer than two. */
export function spreadOf(values: readonly number[]): number | null {
  if (values.length < 2) return null;
  const mean = meanOf(values);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1));
}

/**
 * `spreadOf` with its 95 % interval for normally distributed values: their sum of squares follows chi-square, a gamma distribution and
 * the limit of beta for a large second parameter. Null with fewer than two values. Source: DLMF 8.18(ii).
 */
export function spreadInterval(values: readonly number[]): Estimate | null {
  const center = spreadOf(values);
  if (center === null) return null;
  const degrees = values.length - 1;
  const over = (p: number) => center * Math.sqrt(degrees / chiSquareQuantile(p, degrees));
  return { center, lo: over(0.975), hi: over(0.025) };
}

/** With this many degrees of freedom in the denominator, F is chi-square ÷ its degrees, to six digits. */
const manyDegrees = 1e7;

function chiSquareQuantile(p: number, degrees: number): number {
  const x = betaQuantile(p, degrees / 2, manyDegrees / 2);
  return (manyDegrees * x) / (1 - x);
}

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

/** The x at which I_x(a, b) is p, to the last bit that doubles hold. */
export function betaQuantile(p: number, a: number, b: number): number {
  let below = 0;
  let above = 1;
  for (;;) {
    const middle = (below + above) / 2;
    if (middle === below || middle === above) return middle;
    if (incompleteBeta(middle, a, b) < p) below = middle;
    else above = middle;
  }
}
