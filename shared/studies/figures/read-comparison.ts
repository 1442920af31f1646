import type { MetricComparison } from '../../kinds/comparison/comparison.ts';
import { metricOf } from '../../kinds/comparison/metric.ts';
import type { RunDocument } from '../../kinds/comparison/run.ts';
import { type ComparisonFigure, exactly, mapped, type Read } from './figure.ts';

/** Figures of a run. */
export function readComparison(
  figure: ComparisonFigure,
  { metrics, cache }: Pick<RunDocument, 'metrics' | 'cache'>,
): Read {
  if (figure.of === 'cache hits') return readCacheHits(cache);
  const found = metrics.find(({ id }) => id === figure.metric);
  const title = metricOf(figure.metric).title;
  if (found === undefined) return { missing: `${title} was not measured.` };
  const value = readValue(figure, found, metrics);
  const [reason] = found.reasons;
  if (value === null) return { missing: reason ?? `${title} was not measured.` };
  const refused = found.outcome === 'refused' ? { doubt: reason ?? `${title} was refused.` } : {};
  return [{ values: [value], ...refused }];
}

type MetricFigure = Exclude<ComparisonFigure, { of: 'cache hits' }>;

function readValue(
  figure: MetricFigure,
  { ratio, delta, comparison }: MetricComparison,
  metrics: readonly MetricComparison[],
) {
  const percent = ratio === null ? null : mapped(ratio, (value) => 100 * (value - 1));
  if (figure.of === 'change') return percent;
  if (figure.of === 'times') return ratio;
  if (figure.of === 'change per kB') {
    const more = metrics.find(({ id }) => id === 'wire_bytes_per_transaction')?.delta?.center ?? 0;
    return percent === null || more <= 0 ? null : mapped(percent, (value) => (1000 * value) / more);
  }
  const own = figure.of === 'difference' ? delta : comparison;
  return own === null ? null : mapped(own, (value) => value / (figure.divisor ?? 1));
}

function readCacheHits({ baseline, comparison, findings }: RunDocument['cache']): Read {
  if (baseline === null || comparison === null)
    return { missing: findings[0] ?? 'No browser measured the cache.' };
  const hits = ({ warm }: typeof baseline) => warm.fromCache + warm.revalidated;
  if (hits(baseline) === 0) return { missing: 'Over HTTP, the cache answered nothing either.' };
  return [
    {
      values: [exactly(hits(comparison) / hits(baseline))],
      today: `On a second visit, the cache answered ${hits(comparison)} of ${comparison.warm.requests} requests over HTTPS, and ${hits(baseline)} of ${baseline.warm.requests} over HTTP.`,
    },
  ];
}
