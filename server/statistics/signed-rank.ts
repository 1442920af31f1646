import { normalDistribution } from './normal.ts';

/**
 * The null distribution of Wilcoxon's signed-rank statistic T, the sum of the ranks of positive differences when
 * every pattern of signs is equally likely. Exact by dynamic programming over the ranks, also for tied (middle)
 * ranks when their doubles are given; above `exactUpTo` differences by the normal approximation with its
 * correction for continuity, whose error in a tail of 2 % is then below 0.0002.
 */
export const exactUpTo = 60;

/**
 * P(T ≤ sum).
 * @param ranks whole numbers above 0: 1 to n, or doubled middle ranks
 */
export function signedRankProbability(ranks: readonly number[], sum: number): number {
  if (ranks.length > exactUpTo) return approximate(ranks, sum);
  return exactDistribution(ranks)[Math.floor(sum)] ?? 1;
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

/** Cumulative probabilities of the sums 0, 1, … Adding a rank splits each pattern in two: with it and without. */
function exactDistribution(ranks: readonly number[]): Float64Array {
  const largest = ranks.reduce((sum, rank) => sum + rank, 0);
  const probability = new Float64Array(largest + 1);
  probability[0] = 1;
  let reached = 0;
  for (const rank of ranks) {
    reached += rank;
    for (let sum = reached; sum >= rank; sum--) {
      probability[sum] = ((probability[sum] as number) + (probability[sum - rank] as number)) / 2;
    }
    for (let sum = rank - 1; sum >= 0; sum--) probability[sum] = (probability[sum] as number) / 2;
  }
  for (let sum = 1; sum <= largest; sum++) {
    probability[sum] = (probability[sum] as number) + (probability[sum - 1] as number);
  }
  return probability;
}

function approximate(ranks: readonly number[], sum: number): number {
  const total = ranks.reduce((all, rank) => all + rank, 0);
  const squares = ranks.reduce((all, rank) => all + rank * rank, 0);
  return normalDistribution((sum + 0.5 - total / 2) / (Math.sqrt(squares) / 2));
}
