import type { MetricId } from '../../../../shared/kinds/comparison/metric.ts';
import type { Prior } from '../../../../shared/kinds/comparison/precision.ts';
import type { TargetKind } from '../../../../shared/target/target.ts';

/**
 * Variances of log ratios where this machine has no history yet: between launches, and between runs beyond what the samples of one
 * run show. From `npm run bench -- repeat` on two shared cores, 2026-11-27; few degrees, because another machine has others.
 */
const shippedDegrees = 4;

type Shipped = Partial<Record<MetricId, number>> & { other: number };

/** Standard deviations: 0.02 is 2 %. */
const betweenLaunches: Record<TargetKind, Shipped> = {
  storefront: { cpu_at_load: 0.01, throughput: 0.01, latency_p50: 0.012, other: 0.02 },
  managed: { cpu_at_load: 0.02, throughput: 0.02, latency_p50: 0.012, other: 0.02 },
  origins: { other: 0.02 },
};
const betweenRuns: Record<TargetKind, Partial<Record<MetricId, number>>> = {
  storefront: { cpu_at_load: 0.007, throughput: 0.007, latency_p50: 0.004, cpu_lone: 0.02 },
  managed: { cpu_at_load: 0.0175, throughput: 0.018, latency_p50: 0.004, cpu_lone: 0.008 },
  origins: { cpu_at_load: 0.0175, throughput: 0.018, latency_p50: 0.01, cpu_lone: 0.009 },
};

export function shippedBetweenLaunches(metric: MetricId, target: TargetKind): Prior {
  const { other, ...known } = betweenLaunches[target];
  return priorOf(known[statedAs(metric)] ?? other);
}

/** Null for a metric whose runs were not compared. */
export function shippedBetweenRuns(metric: MetricId, target: TargetKind): Prior | null {
  const deviation = betweenRuns[target][statedAs(metric)];
  return deviation === undefined ? null : priorOf(deviation);
}

function statedAs(metric: MetricId): MetricId {
  return metric === 'transactions_per_10_min' ? 'throughput' : metric;
}

function priorOf(deviation: number): Prior {
  return { variance: deviation ** 2, degrees: shippedDegrees, runs: 0, from: 'shipped' };
}
