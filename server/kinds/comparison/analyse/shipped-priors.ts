import type { MetricId } from '../../../../shared/kinds/comparison/metric.ts';
import type { Prior } from '../../../../shared/kinds/comparison/precision.ts';
import type { TargetKind } from '../../../../shared/target/target.ts';

/**
 * Variances of log ratios where this machine has no history yet: of launches (storefront, managed servers) or of epochs (a target
 * that stands already), and of what moves between runs of a target that stands. From runs on two shared cores; few degrees, as
 * another machine has others.
 */
const shippedDegrees = 3;

/** Standard deviations: 0.02 is 2 %. */
const usual: Record<TargetKind, Partial<Record<MetricId, number>>> = {
  storefront: { cpu_at_load: 0.025, throughput: 0.03, latency_p50: 0.02, cpu_lone: 0.03 },
  managed: { cpu_at_load: 0.04, throughput: 0.04, latency_p50: 0.012, cpu_lone: 0.02 },
  origins: { cpu_at_load: 0.025, throughput: 0.03, latency_p50: 0.012, cpu_lone: 0.02 },
};
const usualBetweenRuns: Partial<Record<MetricId, number>> = {
  cpu_at_load: 0.015,
  throughput: 0.015,
  latency_p50: 0.006,
  cpu_lone: 0.03,
};

export function shippedPrior(metric: MetricId, target: TargetKind): Prior | null {
  return priorOf(usual[target][metric === 'transactions_per_10_min' ? 'throughput' : metric]);
}

export function shippedBetweenRuns(metric: MetricId): Prior | null {
  return priorOf(usualBetweenRuns[metric === 'transactions_per_10_min' ? 'throughput' : metric]);
}

function priorOf(deviation: number | undefined): Prior | null {
  if (deviation === undefined) return null;
  return { variance: deviation ** 2, degrees: shippedDegrees, runs: 0, from: 'shipped' };
}
