import type { MetricId } from '../../../../shared/kinds/comparison/metric.ts';
import type { Prior } from '../../../../shared/kinds/comparison/precision.ts';
import type { TargetKind } from '../../../../shared/target/target.ts';

/**
 * Variances of log ratios where this machine has no history yet: of launches (storefront, managed servers) or of epochs (a target
 * that stands already), and of what moves between runs. From 20 runs of each on two shared cores, 2026-11-25; few degrees, as
 * another machine has others.
 */
const shippedDegrees = 3;

/** Standard deviations: 0.02 is 2 %. */
const usual: Record<TargetKind, Partial<Record<MetricId, number>>> = {
  storefront: { cpu_at_load: 0.025, throughput: 0.03, latency_p50: 0.02, cpu_lone: 0.03 },
  managed: { cpu_at_load: 0.04, throughput: 0.04, latency_p50: 0.012, cpu_lone: 0.02 },
  origins: { cpu_at_load: 0.025, throughput: 0.03, latency_p50: 0.012, cpu_lone: 0.02 },
};
/** A transaction of the storefront is mostly its own work, of which its launches show what moves: 0 was fitted there. */
const usualBetweenRuns: Record<TargetKind, Partial<Record<MetricId, number>>> = {
  storefront: { cpu_at_load: 0.005, throughput: 0.005, latency_p50: 0.002, cpu_lone: 0.02 },
  managed: { cpu_at_load: 0.0175, throughput: 0.018, latency_p50: 0.004, cpu_lone: 0.008 },
  origins: { cpu_at_load: 0.0175, throughput: 0.018, latency_p50: 0.01, cpu_lone: 0.009 },
};

/** Whether the interval of one run includes what moves between runs. */
export function movesBetweenRuns(target: TargetKind): boolean {
  return target !== 'storefront';
}

export function shippedPrior(metric: MetricId, target: TargetKind): Prior | null {
  return priorOf(usual[target][metric === 'transactions_per_10_min' ? 'throughput' : metric]);
}

export function shippedBetweenRuns(metric: MetricId, target: TargetKind): Prior | null {
  return priorOf(usualBetweenRuns[target][metric === 'transactions_per_10_min' ? 'throughput' : metric]);
}

function priorOf(deviation: number | undefined): Prior | null {
  if (deviation === undefined) return null;
  return { variance: deviation ** 2, degrees: shippedDegrees, runs: 0, from: 'shipped' };
}
