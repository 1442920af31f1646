import { quantileOfSorted } from './quantile.ts';

/**
 * The Hodges-Lehmann estimate of the centre of symmetric differences: the median of their Walsh averages.
 * Nearly as efficient as the mean under normal noise (95 %), and it shrugs off a wild block.
 * Source: Hollander, Wolfe and Chicken, Nonparametric Statistical Methods, section 3.2.
 */
export function hodgesLehmann(differences: readonly number[]): number {
  return quantileOfSorted(walshAverages(differences), 0.5);
}

/** The n(n+1)/2 means of every pair of values, each with itself included, ascending. */
export function walshAverages(values: readonly number[]): Float64Array {
  const averages = new Float64Array((values.length * (values.length + 1)) / 2);
  let next = 0;
  for (const [index, first] of values.entries()) {
    for (const second of values.slice(index)) averages[next++] = (first + second) / 2;
  }
  return averages.sort();
}
