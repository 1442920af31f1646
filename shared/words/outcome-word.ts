import type { MetricComparison } from '../kinds/comparison/comparison.ts';
import { metricOf } from '../kinds/comparison/metric.ts';

type Judged = Pick<MetricComparison, 'id' | 'outcome' | 'ratio' | 'delta'>;

/**
 * How reports name an outcome: `overhead`, `within 5 %`, and `negative overhead` where the comparison is the better side.
 * @param tolerance what is too little to matter, as a share
 */
export function wordOfOutcome({ id, outcome, ratio, delta }: Judged, tolerance: number): string {
  if (outcome === 'no_overhead') return withinWords(tolerance);
  if (outcome !== 'overhead') return outcome.replace('_', ' ');
  const grew = ratio === null ? (delta?.center ?? 0) > 0 : ratio.center > 1;
  return grew === (metricOf(id).better === 'lower') ? 'overhead' : 'negative overhead';
}

/** `within 5 %`. */
export function withinWords(tolerance: number): string {
  return `within ${Number((tolerance * 100).toFixed(2))} %`;
}
