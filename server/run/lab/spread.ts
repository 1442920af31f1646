import type { Spread } from '../../../shared/lab.ts';
import type { Samples } from '../../lab/samples.ts';
import { quantileOfSorted, toSorted } from '../../statistics/quantile.ts';

/** Of every connection of all visits together. */
export function spreadOf(visits: readonly Samples[], what: keyof Samples): Spread {
  const sorted = toSorted(joined(visits, what));
  return {
    mean: sorted.reduce((sum, value) => sum + value, 0) / sorted.length,
    median: quantileOfSorted(sorted, 0.5),
    p5: quantileOfSorted(sorted, 0.05),
    p95: quantileOfSorted(sorted, 0.95),
  };
}

export function joined(visits: readonly Samples[], what: keyof Samples): number[] {
  return visits.flatMap((samples) => [...samples[what]]);
}
