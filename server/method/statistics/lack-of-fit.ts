import { fPValue } from './f-distribution.ts';
import { meanOf } from './mean.ts';

/**
 * F test of what a line misses over all rounds against what it misses differently from round to round, the pure error.
 * A round may have an offset and a rate of its own (drift): only what no line takes up counts. With m sizes, p terms and
 * n rounds, F = [n Σē²/(m − p)] ÷ [Σ(e − ē)²/((n − 1)(m − p))], degrees m − p and (n − 1)(m − p).
 * Source: Draper and Smith, Applied Regression Analysis, section 2.1, with each round's own line taken out as blocks are.
 */
type LackOfFit = { f: number; degrees: [number, number]; pValue: number };

/** A relative difference of doubles that should be none. */
const rounding = 1e-9;

/**
 * @param misses of the line over all rounds, by size, relative
 * @param byRound what is left of each round's deviations, by round, then size
 * @returns null where the line goes through every size, or the rounds agree exactly
 */
export function testLackOfFit(
  misses: readonly number[],
  byRound: readonly (readonly number[])[],
  terms: number,
): LackOfFit | null {
  const free = misses.length - terms;
  const rounds = byRound.length;
  const lack = rounds * misses.reduce((sum, miss) => sum + miss ** 2, 0);
  const pure = missErrors(byRound).reduce((sum, error) => sum + error ** 2 * rounds * (rounds - 1), 0);
  if (free < 1 || pure < rounding ** 2) return null;
  const degrees: [number, number] = [free, (rounds - 1) * free];
  const f = (lack / degrees[0]) * (degrees[1] / pure);
  return { f, degrees, pValue: fPValue(f, degrees) };
}

/** Standard error of each size's miss over the rounds. */
export function missErrors(byRound: readonly (readonly number[])[]): number[] {
  const rounds = byRound.length;
  return (byRound[0] ?? []).map((_, size) => {
    const misses = byRound.map((round) => round[size] ?? Number.NaN);
    const mean = meanOf(misses);
    const squares = misses.reduce((sum, miss) => sum + (miss - mean) ** 2, 0);
    return Math.sqrt(squares / (rounds - 1) / rounds);
  });
}
