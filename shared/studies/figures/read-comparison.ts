import type { MetricComparison } from '../../kinds/comparison/comparison.ts';
import { metricOf } from '../../kinds/comparison/metric.ts';
import type { RunDocument } from '../../kinds/comparison/run.ts';
import { type ComparisonFigure, exactly, mapped, type Read } from './figure.ts';

type Run = Pick<RunDocument, 'metrics' | 'cache' | 'link'>;

/** Figures of a run. */
export function readComparison(figure: ComparisonFigure, run: Run): Read {
  if (figure.of === 'cache hits') return readCacheHits(run.cache);
  const id = 'metric' in figure ? figure.metric : 'latency_p50';
  const found = run.metrics.find((each) => each.id === id);
  const { title } = metricOf(id);
  if (found === undefined) return { missing: `${title} was not measured.` };
  const value = 'metric' in figure ? ofMetric(figure, found) : ofHandshake(figure.of, found, run);
  const [reason] = found.reasons;
  if (value === null) return { missing: reason ?? `${title} was not measured.` };
  const refused = found.outcome === 'refused' ? { doubt: reason ?? `${title} was refused.` } : {};
  return [{ values: [value], ...refused }];
}

type MetricFigure = Extract<ComparisonFigure, { metric: string }>;

function ofMetric({ of, divisor = 1 }: MetricFigure, { ratio, delta, comparison }: MetricComparison) {
  if (of === 'times') return ratio;
  if (of === 'change') return ratio === null ? null : mapped(ratio, percentOf);
  const own = of === 'difference' ? delta : comparison;
  return own === null ? null : mapped(own, (value) => value / divisor);
}

/** A new connection takes three round trips, one for TCP and one for the request. */
function ofHandshake(
  of: 'handshake' | 'handshake per kB',
  { ratio, baseline }: MetricComparison,
  { metrics, link }: Run,
) {
  if (ratio === null || baseline === null) return null;
  const roundTripUs = 1000 * (link?.added?.median ?? link?.roundTripMs ?? 0);
  const handshakeUs = baseline.center - 2 * roundTripUs;
  const more = metrics.find(({ id }) => id === 'wire_bytes_per_transaction')?.delta?.center ?? 0;
  const per = of === 'handshake' ? 1 : more / 1000;
  if (handshakeUs <= 0 || per <= 0) return null;
  return mapped(ratio, (value) => (percentOf(value) * baseline.center) / handshakeUs / per);
}

function percentOf(ratio: number): number {
  return 100 * (ratio - 1);
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
