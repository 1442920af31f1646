import type { Block } from '../../../../shared/kinds/comparison/block.ts';
import type { MetricId } from '../../../../shared/kinds/comparison/metric.ts';
import { carryOverWidening } from '../../../method/statistics/order-effect.ts';

/** What the order of the arms' turns adds to either side of a log ratio: whether an arm costs more after the comparison. */
export function carryOverOfMetric(id: MetricId, blocks: readonly Block[]): number {
  return carryOverWidening(blocks.flatMap(({ carryOver }) => carryOver?.[id] ?? []));
}
