import { lowered } from '../base/capitalized.ts';
import { intervalDecimals, printChange, printChangeInterval, printNumber } from '../base/quantity.ts';
import { printWithInterval } from '../base/shift.ts';
import type { VerdictOutcome } from '../kinds/comparison/comparison.ts';
import { type MetricId, metricOf, type PrimaryMetricId, primaryMetrics } from '../kinds/comparison/metric.ts';
import type { PooledMetric } from '../kinds/comparison/pool.ts';
import type { RunDocument } from '../kinds/comparison/run.ts';

/** Several runs of one question in words: one printer for page, reports, terminal and messages. */

type Pooled = Pick<RunDocument, 'verdict' | 'pool' | 'metrics'>;

/**
 * `5 runs of this question: +18 µs (+17 to +19 µs), +43.1 % (95 % CI +42.0 to +44.2 %); 2 earlier runs were left out: another kernel`. Null for a run
 * that has no earlier one.
 */
export function poolInWords(run: Pooled): string | null {
  const parts = [pooledInWords(run), leftOutInWords(run)].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join('; ');
}

/** The first half; null where nothing was pooled. */
export function pooledInWords(run: Pooled): string | null {
  const headline = pooledHeadline(run);
  if (headline === null) return null;
  const { metric, pooled } = headline;
  const { ratio, outcome, runs } = pooled;
  const interval = printChangeInterval(ratio);
  const found = hasCenter(outcome)
    ? `${amountOf(run, headline)}${printChange(ratio.center, intervalDecimals(ratio))} (95 % CI ${interval})`
    : `${interval} (95 % CI)`;
  const noun = metric === 'cpu_at_load' ? '' : `${titleInSentence(metric)} `;
  return `${printNumber(runs.length, 0)} runs of this question: ${noun}${found}`;
}

/** `+18 µs (+17 to +19 µs), `, or `+18 µs (+17 to +19 µs from 4 runs with a similar baseline), `; empty where it was not pooled. */
function amountOf({ metrics }: Pooled, { metric, pooled: { difference, runs } }: PooledHeadline): string {
  const row = metrics.find(({ id }) => id === metric);
  if (row === undefined || difference === undefined) return '';
  const from =
    difference.runs === runs.length
      ? ''
      : ` from ${printNumber(difference.runs, 0)} runs with a similar baseline`;
  return `${printWithInterval(row.unit, difference, from)}, `;
}

/** The second half; null where nothing was left out. */
export function leftOutInWords({ pool }: Pick<RunDocument, 'pool'>): string | null {
  const reasons = (pool?.leftOut ?? []).map(({ reason }) => reason);
  if (reasons.length === 0) return null;
  const counted = new Map<string, number>();
  for (const reason of reasons) counted.set(reason, (counted.get(reason) ?? 0) + 1);
  const each = [...counted].map(([reason, count]) =>
    counted.size === 1 ? reason : `${reason} (${printNumber(count, 0)})`,
  );
  const count = printNumber(reasons.length, 0);
  return `${count} earlier ${reasons.length === 1 ? 'run was' : 'runs were'} left out: ${each.join(', ')}`;
}

type PooledHeadline = { metric: PrimaryMetricId; pooled: PooledMetric };

/** The metric of the verdict, or where that was not pooled, the first that was. */
export function pooledHeadline({ verdict, pool }: Pick<Pooled, 'verdict' | 'pool'>): PooledHeadline | null {
  const order = primaryMetrics.toSorted(
    (a, b) => Number(b === verdict?.metric) - Number(a === verdict?.metric),
  );
  for (const metric of order) {
    const pooled = pool?.metrics[metric];
    if (pooled !== undefined) return { metric, pooled };
  }
  return null;
}

/** A difference that is not certain is its interval alone. */
function hasCenter(outcome: VerdictOutcome): boolean {
  return outcome === 'overhead' || outcome === 'no_overhead';
}

function titleInSentence(metric: MetricId): string {
  const { title } = metricOf(metric);
  return metric === 'latency_p50' ? 'median latency' : lowered(title);
}
