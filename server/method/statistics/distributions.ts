import type { LaunchesVariance, Variance } from '../../../shared/kinds/comparison/comparison.ts';
import { sumOf } from './mean.ts';

/**
 * I_x(a, b), the regularized incomplete beta function, by its continued fraction; relative error about 1e-14.
 * Source: DLMF 8.17.22, evaluated by Lentz's method (Press et al., Numerical Recipes, section 6.4).
 */
export function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  // The fraction converges fast on this side of the mean only.
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  const front = Math.exp(a * Math.log(x) + b * Math.log1p(-x) + logGamma(a + b) - logGamma(a) - logGamma(b));
  return (front * continuedFraction(x, a, b)) / a;
}

const mostTerms = 10_000;
const tiny = 1e-300;

function continuedFraction(x: number, a: number, b: number): number {
  let c = 1;
  let d = 1 / awayFromZero(1 - ((a + b) * x) / (a + 1));
  let value = d;
  for (let m = 1; m <= mostTerms; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    let change = 1;
    for (const term of [even, odd]) {
      d = 1 / awayFromZero(1 + term * d);
      c = awayFromZero(1 + term / c);
      change = c * d;
      value *= change;
    }
    if (Math.abs(change - 1) < Number.EPSILON) break;
  }
  return value;
}

function awayFromZero(value: number): number {
  return Math.abs(value) < tiny ? tiny : value;
}

/** ln Γ(x) for x > 0, by Stirling's series from 15 on and the recurrence below. Source: DLMF 5.11.1. */
function logGamma(x: number): number {
  let shift = 0;
  let at = x;
  for (; at < 15; at++) shift += Math.log(at);
  const inverse = 1 / (at * at);
  const series =
    (1 / 12 - inverse * (1 / 360 - inverse * (1 / 1260 - inverse * (1 / 1680 - inverse / 1188)))) / at;
  return (at - 0.5) * Math.log(at) - at + Math.log(2 * Math.PI) / 2 + series - shift;
}

/** Beyond this the F distribution with infinitely many degrees below is told from it by less than 1e-6. */
const distributionMostDegrees = 1e7;

/**
 * P(F > f), F the quotient of two independent variance estimates with so many degrees of freedom above and below, which
 * need not be whole; Infinity stands for a variance that is known. 1 for f ≤ 0.
 * Source: DLMF 8.17(v); P(F > f) = I_x(ν₂/2, ν₁/2) with x = ν₂ / (ν₂ + ν₁ f).
 */
export function fPValue(f: number, degrees: readonly [above: number, below: number]): number {
  if (f <= 0) return 1;
  const above = Math.min(degrees[0], distributionMostDegrees);
  const below = Math.min(degrees[1], distributionMostDegrees);
  return incompleteBeta(below / (below + above * f), below / 2, above / 2);
}

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

/** Share of runs with the usual noise that are taken for noisier: one in a hundred. */
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
  // The limit: with infinitely many degrees, the run does not count.
  if (degrees === Infinity) return { variance: prior.variance, degrees };
  return { variance: (prior.degrees * prior.variance + own.degrees * own.variance) / degrees, degrees };
}

function isNoisier(own: Variance, prior: Variance): boolean {
  if (own.variance <= prior.variance) return false;
  return fPValue(own.variance / prior.variance, [own.degrees, prior.degrees]) < noisier;
}

/** Student's t distribution. Source: DLMF 8.17(v); P(|T| > t) = I_x(ν/2, ½) with x = ν / (ν + t²). */

/** P(|T| > |t|). */
export function studentPValue(t: number, degrees: number): number {
  return incompleteBeta(degrees / (degrees + t * t), degrees / 2, 0.5);
}

/** The t beyond which both tails together hold 1 − confidence: half an interval, in standard errors. */
export function studentQuantile(confidence: number, degrees: number): number {
  if (!Number.isInteger(degrees)) return searchQuantile(confidence, degrees);
  const key = `${confidence} ${degrees}`;
  const found = known.get(key) ?? searchQuantile(confidence, degrees);
  known.set(key, found);
  return found;
}

/** A sweep asks for one quantile tens of thousands of times. */
const known = new Map<string, number>();

function searchQuantile(confidence: number, degrees: number): number {
  const tails = 1 - confidence;
  let below = 0;
  let above = 1;
  while (studentPValue(above, degrees) > tails) {
    below = above;
    above *= 2;
  }
  for (;;) {
    const middle = (below + above) / 2;
    if (middle === below || middle === above) return middle;
    if (studentPValue(middle, degrees) > tails) below = middle;
    else above = middle;
  }
}
