import type { Block } from '../../../../shared/block.ts';
import { type MetricId, metrics } from '../../../../shared/metric.ts';
import type { RunEvent } from '../../../../shared/progress.ts';
import type { Slot } from '../../../../shared/slot.ts';
import type { Arm } from '../../../../shared/transport.ts';
import { median } from '../../../statistics/quantile.ts';

/** The event of a block that has ended: medians so far, and this block's ratios. Provisional, never a verdict. */
export function describeBlock(block: Block, all: readonly Block[]): RunEvent {
  const kept = all.filter((each) => each.reasons.length === 0).flatMap((each) => each.slots);
  const medians: Extract<RunEvent, { type: 'block' }>['medians'] = {};
  const ratios: Partial<Record<MetricId, number>> = {};
  for (const { id, scale } of metrics) {
    const baseline = medianOf(kept, 'baseline', id);
    const comparison = medianOf(kept, 'comparison', id);
    if (baseline !== null || comparison !== null) medians[id] = { baseline, comparison };
    const here = medianOf(block.slots, 'baseline', id);
    const there = medianOf(block.slots, 'comparison', id);
    if (scale === 'ratio' && here !== null && there !== null && here > 0) ratios[id] = there / here;
  }
  const { index, kind } = block;
  return {
    type: 'block',
    index,
    kind,
    dropped: block.reasons.map((reason) => reason.message),
    medians,
    ratios,
  };
}

function medianOf(slots: readonly Slot[], arm: Arm, id: MetricId): number | null {
  const values = slots.filter((slot) => slot.arm === arm).flatMap((slot) => slot.values[id] ?? []);
  return values.length === 0 ? null : median(values);
}
