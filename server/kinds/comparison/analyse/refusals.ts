import type { Block } from '../../../../shared/block.ts';
import type { Metric } from '../../../../shared/metric.ts';
import { printNumber } from '../../../../shared/quantity.ts';
import { median } from '../../../statistics/quantile.ts';

/** Requests an arm that a 99th percentile must rest on. */
const requestsForP99 = 10_000;
const saturatedGenerator = 0.95;
const idleTarget = 0.85;

/**
 * Why a metric must not be compared, in sentences; empty when it may be.
 * @param blocks those that hold the metric
 * @param kept all that count
 */
export function refusalsOf(metric: Metric, blocks: readonly Block[], kept: readonly Block[]): string[] {
  if (blocks.length === 0) return [whyAbsent(metric, kept)];
  const slots = blocks.flatMap((block) => block.slots);
  if (metric.id === 'latency_p99') {
    const requests = slots
      .filter((slot) => slot.arm === 'comparison')
      .reduce((sum, slot) => sum + slot.load.requests, 0);
    if (requests < requestsForP99) {
      return [
        `A 99th percentile needs ${printNumber(requestsForP99, 0)} requests a side; there were ${printNumber(requests, 0)}. A longer preset gives them.`,
      ];
    }
  }
  if (metric.group === 'throughput') {
    const generator = median(slots.map(({ load }) => load.generatorBusiestUs / load.elapsedUs));
    const targets = slots.flatMap(({ target }) => (target === null ? [] : [target.cpuUs / target.wallUs]));
    if (generator > saturatedGenerator && (targets.length === 0 || median(targets) < idleTarget)) {
      return ['The load generator was the limit, not the server: this is not the throughput of the server.'];
    }
  }
  return [];
}

function whyAbsent({ id, group, point }: Metric, kept: readonly Block[]): string {
  if (!kept.some((block) => point === 'any' || block.kind === point)) {
    return point === 'any' ? 'No block was kept.' : `No block at the ${point} operating point was kept.`;
  }
  if (id === 'execution_time') {
    return 'The application sends no Server-Timing header with app;dur, so its own time is not known.';
  }
  if (group === 'CPU' || group === 'memory' || group === 'disk') {
    return 'The process of the target is not known or may not be read, so its resources are not known. Give its pid, on the machine where it runs.';
  }
  return 'No transaction of the kept blocks succeeded.';
}
