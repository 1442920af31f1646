import type { MetricComparison } from './comparison.ts';
import { metricOf } from './metric.ts';

type Judged = Pick<MetricComparison, 'id' | 'outcome' | 'ratio' | 'delta'>;

/** How reports name an outcome: `overhead`, `no overhead`, and `negative overhead` where the comparison is the better side. */
export function wordOfOutcome({ id, outcome, ratio, delta }: Judged): string {
  if (outcome !== 'overhead') return outcome.replace('_', ' ');
  const grew = ratio === null ? (delta?.center ?? 0) > 0 : ratio.center > 1;
  return grew === (metricOf(id).better === 'lower') ? 'overhead' : 'negative overhead';
}
