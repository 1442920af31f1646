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
 * How many times wider `theirs` spreads than `ours`, with its 95 % interval: the square root of the F ratio of two variances,
 * which takes both for normally distributed. Null where either has no spread.
 */
export function spreadRatio(theirs: readonly number[], ours: readonly number[]): Estimate | null {
  const [wide, narrow] = [spreadOf(theirs), spreadOf(ours)];
  if (wide === null || narrow === null || narrow === 0) return null;
  const center = wide / narrow;
  const over = (p: number) => center / Math.sqrt(fQuantile(p, theirs.length - 1, ours.length - 1));
  return { center, lo: over(0.975), hi: over(0.025) };
}

/** Quantile of the F distribution with these degrees of freedom. Source: DLMF 8.17(v). */
function fQuantile(p: number, above: number, below: number): number {
  const x = betaQuantile(p, above / 2, below / 2);
  return (below * x) / (above * (1 - x));
}
