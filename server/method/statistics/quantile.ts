/**
 * Quantile of a sample by linear interpolation between order statistics: type 7 of Hyndman and Fan (1996),
 * the default of R and NumPy.
 * @param p between 0 and 1
 */
export function quantile(values: readonly number[], p: number): number {
  return quantileOfSorted(toSorted(values), p);
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The same for values that ascend already. */
export function quantileOfSorted(sorted: ArrayLike<number>, p: number): number {
  if (sorted.length === 0) throw new RangeError('a quantile needs at least one value');
  const position = (sorted.length - 1) * p;
  const below = Math.floor(position);
  const lower = sorted[below] as number;
  const upper = sorted[Math.min(below + 1, sorted.length - 1)] as number;
  return lower + (position - below) * (upper - lower);
}

export function toSorted(values: readonly number[]): Float64Array {
  return Float64Array.from(values).sort();
}
