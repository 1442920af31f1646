import type { Block } from '../../../../shared/kinds/comparison/block.ts';
import type { MetricId } from '../../../../shared/kinds/comparison/metric.ts';
import { carryOverWidening } from '../../../method/statistics/order-effect.ts';

/** Widening of a log ratio, to each side, for the order of turns: an arm may cost more right after the comparison. */
export function carryOverOfMetric(id: MetricId, blocks: readonly Block[]): number {
  return carryOverWidening(blocks.flatMap(({ carryOver }) => carryOver?.[id] ?? []));
}
