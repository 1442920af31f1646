import { sumOf } from './mean.ts';
import { normalDistribution } from './normal.ts';

/**
 * The null distribution of Wilcoxon's signed-rank statistic T, the sum of the ranks of positive differences when
 * every pattern of signs is equally likely. Exact by dynamic programming up to `exactUpTo` differences, for tied
 * (middle) ranks too; above by the normal approximation with its correction for continuity.
 */
export const exactUpTo = 60;

/**
 * P(T ≤ sum).
 * @param ranks of the magnitudes: 1 to n, ties with their middle rank, so whole or half
 */
export function signedRankProbability(ranks: readonly number[], sum: number): number {
  if (ranks.length > exactUpTo) return approximate(ranks, sum);
  return exactDistribution(ranks.map((rank) => 2 * rank))[Math.floor(2 * sum)] ?? 1;
}

/** Largest k with P(T ≤ k) ≤ tail for n untied differences; −1 when even P(T = 0) is larger. */
export function signedRankQuantile(n: number, tail: number): number {
  const ranks = Array.from({ length: n }, (_, index) => index + 1);
  if (n <= exactUpTo) return exactDistribution(ranks).findIndex((probability) => probability > tail) - 1;
  let below = 0;
  let above = (n * (n + 1)) / 4;
  while (above - below > 1) {
    const middle = Math.floor((below + above) / 2);
    if (approximate(ranks, middle) <= tail) below = middle;
    else above = middle;
  }
  return below;
}

/** Cumulative probabilities of the sums 0, 1, … Each rank splits the patterns in two: those with it and those without. */
function exactDistribution(ranks: readonly number[]): Float64Array {
  const probability = new Float64Array(sumOf(ranks) + 1);
  probability[0] = 1;
  let reached = 0;
  for (const rank of ranks) {
    reached += rank;
    for (let sum = reached; sum >= rank; sum--) {
      probability[sum] = ((probability[sum] as number) + (probability[sum - rank] as number)) / 2;
    }
    for (let sum = rank - 1; sum >= 0; sum--) probability[sum] = (probability[sum] as number) / 2;
  }
  for (let sum = 1; sum < probability.length; sum++) {
    probability[sum] = (probability[sum] as number) + (probability[sum - 1] as number);
  }
  return probability;
}

function approximate(ranks: readonly number[], sum: number): number {
  const mean = sumOf(ranks) / 2;
  const deviation = Math.sqrt(sumOf(ranks.map((rank) => rank * rank))) / 2;
  return normalDistribution((sum + 0.5 - mean) / deviation);
}
