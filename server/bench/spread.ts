import type { Estimate } from '../../shared/kinds/comparison/comparison.ts';
import { launchInterval } from '../method/statistics/launch-interval.ts';
import { meanOf } from '../method/statistics/mean.ts';
import { betaQuantile } from './beta-quantile.ts';

/** Student's interval of the mean of values that have nothing in common. Null with fewer than two. */
export function meanInterval(values: readonly number[]): Estimate | null {
  if (values.length < 2) return null;
  const interval = launchInterval(
    values.map((value, launch) => ({ launch, value })),
    0.95,
  );
  return interval === null ? null : { center: interval.center, lo: interval.lo, hi: interval.hi };
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
