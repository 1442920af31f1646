import type { Estimate } from '../../../shared/kinds/comparison/comparison.ts';
import { walshAverages } from './hodges-lehmann.ts';
import { quantileOfSorted } from './quantile.ts';
import { signedRankProbability, signedRankQuantile } from './signed-rank.ts';

/** Nominal level of the intervals of a run: what is over 95 % pays for looking at their width while measuring. */
export const nominalConfidence = 0.965;

/** Fewest differences that have an interval at the nominal level: 1 − 2/2⁶ is 96.9 %. */
export const fewestDifferences = 6;

/**
 * Hodges-Lehmann estimate of the centre of paired differences, with the interval of every centre that the
 * two-sided signed-rank test would not reject: from the (k+1)-th smallest to the (k+1)-th largest Walsh average,
 * k the largest with P(T ≤ k) ≤ (1 − confidence)/2. Ties and zeros only make it a little wider than it must be.
 * Null when the differences are too few for the confidence.
 * Source: Hollander, Wolfe and Chicken, Nonparametric Statistical Methods, section 3.3.
 */
export function wilcoxonInterval(
  differences: readonly number[],
  confidence: number = nominalConfidence,
): Estimate | null {
  const k = signedRankQuantile(differences.length, (1 - confidence) / 2);
  if (k < 0) return null;
  const averages = walshAverages(differences);
  return {
    center: quantileOfSorted(averages, 0.5),
    lo: averages[k] as number,
    hi: averages[averages.length - 1 - k] as number,
  };
}

/**
 * Two-sided p-value of the signed-rank test that the differences are centred at zero. Zeros are left out, as Wilcoxon
 * did; tied magnitudes share their middle rank, and the distribution is that of the very ranks at hand.
 */
export function wilcoxonPValue(differences: readonly number[]): number {
  const nonZero = differences.filter((difference) => difference !== 0);
  if (nonZero.length === 0) return 1;
  const ranks = middleRanks(nonZero.map(Math.abs));
  const total = ranks.reduce((sum, rank) => sum + rank, 0);
  const positive = ranks.reduce((sum, rank, index) => sum + ((nonZero[index] as number) > 0 ? rank : 0), 0);
  return Math.min(1, 2 * signedRankProbability(ranks, Math.min(positive, total - positive)));
}

/** Equal values share the mean of the ranks that they take up. */
function middleRanks(magnitudes: readonly number[]): number[] {
  const sorted = Float64Array.from(magnitudes).sort();
  return magnitudes.map((value) => (sorted.indexOf(value) + sorted.lastIndexOf(value)) / 2 + 1);
}
