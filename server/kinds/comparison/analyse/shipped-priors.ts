import type { MetricId } from '../../../../shared/kinds/comparison/metric.ts';
import type { Prior } from '../../../../shared/kinds/comparison/precision.ts';
import type { TargetKind } from '../../../../shared/target/target.ts';

/**
 * Usual spreads for a machine without history: between launches beyond what their samples explain, and between runs beyond their
 * errors. Standard deviations of log ratios: 0.02 is 2 %. From 44 runs of `npm run bench -- repeat` in a quiet hour, 2026-11-27, rounded up,
 * because a week moves more than an hour.
 */
type Usual = Record<TargetKind, Partial<Record<MetricId, number>>>;

/** Low, because machines differ: a run's own launches soon outweigh these values. */
const degreesBetweenLaunches = 2;
const degreesBetweenRuns = 3;

/** None for `origins`, because a running target has one launch. */
const betweenLaunches: Usual = {
  storefront: { cpu_at_load: 0.0075, throughput: 0.0075, latency_p50: 0.006, cpu_lone: 0.01 },
  managed: { cpu_at_load: 0.005, throughput: 0.0075, latency_p50: 0.004, cpu_lone: 0.01 },
  origins: {},
};
/** A transaction of the storefront is mostly its own work, of which its launches show what moves: 0 was fitted there. */
const betweenRuns: Usual = {
  storefront: { cpu_at_load: 0.005, throughput: 0.005, latency_p50: 0.002, cpu_lone: 0.01 },
  managed: { cpu_at_load: 0.01, throughput: 0.01, latency_p50: 0.004, cpu_lone: 0.01 },
  origins: { cpu_at_load: 0.01, throughput: 0.0125, latency_p50: 0.005, cpu_lone: 0.01 },
};

/** Whether the interval of one run includes what moves between runs. */
export function movesBetweenRuns(target: TargetKind): boolean {
  return target !== 'storefront';
}

export function shippedBetweenLaunches(metric: MetricId, target: TargetKind): Prior | null {
  return priorOf(betweenLaunches, degreesBetweenLaunches, metric, target);
}

export function shippedBetweenRuns(metric: MetricId, target: TargetKind): Prior | null {
  return priorOf(betweenRuns, degreesBetweenRuns, metric, target);
}

function priorOf(usual: Usual, degrees: number, metric: MetricId, target: TargetKind): Prior | null {
  const deviation = usual[target][metric === 'transactions_per_10_min' ? 'throughput' : metric];
  return deviation === undefined ? null : { variance: deviation ** 2, degrees, runs: 0, from: 'shipped' };
}
