import { studentPValue } from './distributions.ts';
import { meanOf } from './mean.ts';

/**
 * Least squares of times on a few terms, weighted 1/T², so that a time counts by how far it is missed in percent: the
 * minimum of Σ(1 − fit/T)². By orthogonalization, as sizes and records are nearly the same column.
 * Source: Golub and Van Loan, Matrix Computations, section 5.2.8 (modified Gram-Schmidt), each column done twice.
 */
export type RelativeFit = {
  /** One for each term. */
  coefficients: number[];
  /** (T − fit)/T of each time. */
  misses: number[];
  /** Residuals of other relative deviations, after the terms have explained what they can. */
  missesOf(deviations: readonly number[]): number[];
};

/** A column that the others explain but for this share of it says nothing of its own. */
const leastOwn = 1e-9;

/**
 * @param terms values by term, then time
 * @param times all above zero
 * @returns null when the terms cannot be told apart
 */
export function fitRelative(
  terms: readonly (readonly number[])[],
  times: readonly number[],
): RelativeFit | null {
  return leastSquares(
    terms.map((term) => term.map((value, row) => value / (times[row] ?? Number.NaN))),
    times.map(() => 1),
  );
}

/**
 * Unweighted: the minimum of Σ(right − fit)².
 * @param columns values by term, then row
 * @returns null when the terms cannot be told apart
 */
function leastSquares(columns: readonly (readonly number[])[], right: readonly number[]): RelativeFit | null {
  if (right.length < columns.length) return null;
  const basis: number[][] = [];
  const shares: number[][] = [];
  for (const column of columns) {
    const { rest, explained } = explain(column, basis);
    const own = Math.sqrt(dot(rest, rest));
    if (!(own > leastOwn * Math.sqrt(dot(column, column)))) return null;
    basis.push(rest.map((value) => value / own));
    shares.push([...explained, own]);
  }
  const { rest: misses, explained } = explain(right, basis);
  const missesOf = (deviations: readonly number[]) => explain(deviations, basis).rest;
  return { coefficients: solve(shares, explained), misses, missesOf };
}

/** Splits a column into shares of the basis and what is left. */
function explain(
  column: readonly number[],
  basis: readonly (readonly number[])[],
): { rest: number[]; explained: number[] } {
  const rest = [...column];
  const explained = basis.map(() => 0);
  for (let pass = 0; pass < 2; pass++) {
    for (const [index, direction] of basis.entries()) {
      const share = dot(rest, direction);
      explained[index] = (explained[index] ?? 0) + share;
      for (const [row, value] of direction.entries()) rest[row] = (rest[row] ?? 0) - share * value;
    }
  }
  return { rest, explained };
}

/** Back substitution. `shares[j]` are those of term j in the directions up to its own. */
function solve(shares: readonly (readonly number[])[], right: readonly number[]): number[] {
  const found = right.map(() => 0);
  for (let row = right.length - 1; row >= 0; row--) {
    let value = right[row] ?? 0;
    for (let term = row + 1; term < right.length; term++) {
      value -= (shares[term]?.[row] ?? 0) * (found[term] ?? 0);
    }
    found[row] = value / (shares[row]?.[row] ?? 1);
  }
  return found;
}

function dot(a: readonly number[], b: readonly number[]): number {
  let sum = 0;
  for (const [row, value] of a.entries()) sum += value * (b[row] ?? 0);
  return sum;
}

/**
 * Programs that work after the requests, such as log shippers, WAL writers, and collectors: their CPU falls into the next turn, which often
 * belongs to the other side.
 */

/** One program in one turn of a sample. */
export type TurnUse = {
  usedUs: number;
  ms: number;
  /** Null for a turn without requests. */
  arm: string | null;
  requests: number;
  requestsBefore: number;
};

/**
 * CPU, µs per request, that a program uses in the turn after the request: used = idle × ms + cost of the arm × requests + lag × requests
 * of the turn before, by least squares. Null if the turns cannot tell, which requires some that follow a pause.
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
/** P(|t| > 3) for many samples; fewer samples need a larger t. */
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
