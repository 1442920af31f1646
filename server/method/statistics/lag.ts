import { meanOf } from './mean.ts';
import { leastSquares } from './relative-fit.ts';
import { studentPValue } from './student-t.ts';

/**
 * Programs that work after the requests, such as log shippers, WAL writers, and collectors: their CPU falls into the next turn, which is
 * often another side's.
 */

/** One program in one turn of a sample. */
export type TurnUse = {
  usedUs: number;
  ms: number;
  /** Null where nobody asked. */
  arm: string | null;
  requests: number;
  requestsBefore: number;
};

/**
 * CPU, µs per request, that a program uses in the turn after the request: used = idle × ms + cost of the arm × requests + lag × requests
 * of the turn before, by least squares. Null where the turns cannot tell, which takes some that follow a pause.
 */
export function lagOf(turns: readonly TurnUse[]): number | null {
  const arms = [...new Set(turns.flatMap(({ arm }) => arm ?? []))];
  const fit = leastSquares(
    [
      turns.map(({ ms }) => ms),
      ...arms.map((name) => turns.map(({ arm, requests }) => (arm === name ? requests : 0))),
      turns.map(({ requestsBefore }) => requestsBefore),
    ],
    turns.map(({ usedUs }) => usedUs),
  );
  return fit?.coefficients.at(-1) ?? null;
}

/** Smallest part of a program's cost. Less does not change a side's figure by more than the tolerance. */
const leastPart = 0.1;
/** P(|t| > 3) of many samples; fewer need a larger t. */
const clearP = 0.0027;

/**
 * The lag of a program over all samples, µs per request; null where it is a small part or not certain.
 * @param samples with its whole cost per request
 */
export function judgeLag(samples: readonly { lagUs: number; costUs: number }[]): number | null {
  if (samples.length < 2) return null;
  const lags = samples.map(({ lagUs }) => lagUs);
  const mean = meanOf(lags);
  const variance = lags.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (lags.length - 1);
  const t = mean / Math.sqrt(variance / lags.length);
  const isLarge = mean > leastPart * meanOf(samples.map(({ costUs }) => costUs));
  const isClear = t === Number.POSITIVE_INFINITY || studentPValue(t, lags.length - 1) < clearP;
  return mean > 0 && isLarge && isClear ? mean : null;
}
