import { differenceOf, excludes, mapEstimate } from '../../../shared/base/estimate-arithmetic.ts';
import type { Estimate } from '../../../shared/base/units.ts';
import { studentQuantile } from './distributions.ts';
import { quantileOfSorted, walshAverages } from './intervals.ts';
import { meanOf, sumOf } from './mean.ts';
import type { UntestedEvidence } from './outcome-decision.ts';

/** Nominal level of the intervals of a run: what is over 95 % pays for looking at their width while measuring. */
const nominalConfidence = 0.965;

/** Fewest differences that have an interval at the nominal level: 1 − 2/2⁶ is 96.9 %. */
export const fewestDifferences = 6;

/**
 * Hodges-Lehmann estimate of the center of paired differences, with the interval of every center that the
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

/**
 * Φ(x), the standard normal distribution function, by its Taylor series; absolute error below 1e-15.
 * Source: Marsaglia, Evaluating the Normal Distribution, Journal of Statistical Software 11 (2004).
 */
export function normalDistribution(x: number): number {
  if (x < -8) return 0;
  if (x > 8) return 1;
  let sum = x;
  let term = x;
  for (let i = 3, before = 0; sum !== before; i += 2) {
    before = sum;
    term *= (x * x) / i;
    sum += term;
  }
  return 0.5 + (sum * Math.exp((-x * x) / 2)) / Math.sqrt(2 * Math.PI);
}

/** The slots of one metric in one block: those of the arm that it is compared to, and those of the other arm. */
export type Pair = { a: readonly number[]; b: readonly number[] };

export type PairedComparison = {
  /** b divided by a; null for differences, and when a value is not above zero. */
  ratio: Estimate | null;
  /** b less a, in the unit of the values. */
  delta: Estimate | null;
  /** Result of each block, in order: b divided by a, or b less a if there is no ratio. */
  perBlock: number[];
  /** That there is no difference; 1 without a block. */
  pValue: number;
};

/**
 * Compares two arms block by block, so that whatever a block's slots share (drift, a warm machine) cancels. Ratios
 * are those of geometric means, exp(mean log b − mean log a), and never leave the logarithm before the interval is
 * there: swapping the arms inverts them. Estimates are null with fewer than six blocks.
 */
export function comparePaired(
  pairs: readonly Pair[],
  scale: 'ratio' | 'difference',
  confidence: number = nominalConfidence,
): PairedComparison {
  const logs = scale === 'ratio' && pairs.every(isPositive) ? pairs.map(differenceOfLogs) : null;
  const differences = pairs.map(({ a, b }) => meanOf(b) - meanOf(a));
  return {
    ratio: logs === null ? null : mapEstimate(wilcoxonInterval(logs, confidence), Math.exp),
    delta: wilcoxonInterval(differences, confidence),
    perBlock: logs?.map(Math.exp) ?? differences,
    pValue: wilcoxonPValue(logs ?? differences),
  };
}

function isPositive({ a, b }: Pair): boolean {
  return [...a, ...b].every((value) => value > 0);
}

function differenceOfLogs({ a, b }: Pair): number {
  return meanOf(b.map(Math.log)) - meanOf(a.map(Math.log));
}

/** An estimate on an additive scale whose 95 % interval is Student's with so many degrees of freedom. */
export type Known = Estimate & { degrees: number };

/** `to` less `from`, of separate measurements: what a word about the difference is chosen from. */
export function compareIndependent(
  to: Known,
  from: Known,
): Pick<UntestedEvidence, 'pValue'> & { shift: Estimate; narrowShift: Estimate } {
  const at = (confidence: number) =>
    differenceOf(atConfidence(to, confidence), atConfidence(from, confidence));
  return {
    shift: at(0.95),
    narrowShift: at(0.9),
    pValue: pValueBy((level) => excludes(at(1 - level), 0)),
  };
}

/** Falling. What decides is 5 and 4 %, and for exploratory metrics parts of 1 %; between them a p-value is rounded up. */
const levels = [
  ...[0.05, 0.04, 0.03, 0.02, 0.01],
  ...[9, 8, 7, 6, 5, 4, 3, 2, 1, 0.5, 0.2, 0.1, 0.01].map((thousandths) => thousandths / 1000),
];

/** The lowest level at which no difference is excluded; 1 where it is at none. */
function pValueBy(isExcludedAt: (level: number) => boolean): number {
  const failed = levels.findIndex((level) => !isExcludedAt(level));
  return (failed < 0 ? levels.at(-1) : levels[failed - 1]) ?? 1;
}

function atConfidence({ center, lo, hi, degrees }: Known, confidence: number): Estimate {
  const factor = studentQuantile(confidence, degrees) / studentQuantile(0.95, degrees);
  return { center, lo: center - (center - lo) * factor, hi: center + (hi - center) * factor };
}
