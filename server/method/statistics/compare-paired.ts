import { mapEstimate } from '../../../shared/base/map-estimate.ts';
import type { Estimate } from '../../../shared/kinds/comparison/comparison.ts';
import { meanOf } from './mean.ts';
import { nominalConfidence, wilcoxonInterval, wilcoxonPValue } from './wilcoxon.ts';

/** The slots of one metric in one block: those of the arm that it is compared to, and those of the other arm. */
export type Pair = { a: readonly number[]; b: readonly number[] };

export type PairedComparison = {
  /** b divided by a; null for differences, and when a value is not above zero. */
  ratio: Estimate | null;
  /** b less a, in the unit of the values. */
  delta: Estimate | null;
  /** Of each block, in order: b divided by a, or b less a where there is no ratio. */
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
