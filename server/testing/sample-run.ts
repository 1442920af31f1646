import type { Block } from '../../shared/block.ts';
import type { Estimate, MetricComparison, Verdict } from '../../shared/comparison.ts';
import type { OperatingPoint } from '../../shared/load-profile.ts';
import { type MetricId, metricIds, metricOf } from '../../shared/metric.ts';
import {
  intervalDecimals,
  printChange,
  printChangeInterval,
  printQuantity,
  scaleFor,
} from '../../shared/quantity.ts';
import type { RunDocument } from '../../shared/run.ts';
import type { Arm } from '../../shared/transport.ts';
import { drawsOf } from './draws.ts';
import { sampleSlot } from './sample-slot.ts';
import { sampleSurroundings } from './sample-surroundings.ts';

/**
 * A run with figures like those of a real one, made from a seed, for tests that need a document or a block before
 * anything was measured. Its medians are those of its slots.
 */
export function sampleRun({ seed = 7, blocksPerPoint = 6, slotMs = 500 } = {}): RunDocument {
  const random = drawsOf(seed);
  const orders = ['ABNNBA', 'NBAABN', 'BANNAB', 'ANBBNA'];
  const blocks = Array.from({ length: blocksPerPoint * 2 }, (_, index) => {
    const kind: OperatingPoint = index % 2 === 0 ? 'steady' : 'maximum';
    return sampleBlock(index, kind, orders[index % orders.length] ?? 'ABNNBA', random, slotMs);
  });
  const disturbed = blocksPerPoint > 2 ? blocks.at(-2) : undefined;
  disturbed?.reasons.push({
    code: 'foreign_cpu',
    message: 'Other processes used 31 % of the machine in slot 3; at most 15 % is accepted.',
  });
  const comparisons = metricIds.map((id) => compare(id, blocks));
  return { ...sampleSurroundings, verdict: verdictOf(comparisons), metrics: comparisons, blocks };
}

function verdictOf(comparisons: MetricComparison[]): Verdict {
  const cpu = comparisons.find(({ id }) => id === 'cpu_per_transaction');
  if (cpu?.delta == null || cpu.ratio === null) throw new Error('the sample has no CPU');
  const more = printQuantity(cpu.delta.center, scaleFor(cpu.unit, [cpu.delta.center]));
  const change = printChange(cpu.ratio.center, intervalDecimals(cpu.ratio));
  const sentence = `HTTPS costs ${more} more server CPU per transaction (${change}, 95 % interval ${printChangeInterval(cpu.ratio)}, ${cpu.pairs.length} blocks).`;
  return { sentence, metric: 'cpu_per_transaction', outcome: 'overhead' };
}

const letters: Record<string, Arm> = { A: 'baseline', B: 'comparison', N: 'twin' };

function sampleBlock(
  index: number,
  kind: OperatingPoint,
  order: string,
  random: () => number,
  slotMs: number,
): Block {
  const slots = [...order].map((letter, place) =>
    sampleSlot(letters[letter] ?? 'baseline', kind, (index * 6 + place) * (slotMs + 60), random, slotMs),
  );
  return { index, kind, order, reasons: [], slots };
}

function compare(id: MetricId, blocks: Block[]): MetricComparison {
  const { unit, scale, aggregate } = metricOf(id);
  const kept = blocks.filter((block) => block.reasons.length === 0);
  const pairs = kept.flatMap((block) => {
    const [baseline, comparison, twin] = (['baseline', 'comparison', 'twin'] as const).map((arm) =>
      mean(valuesOf(id, [block], arm)),
    );
    if (baseline === undefined || comparison === undefined || twin === undefined) return [];
    return [
      scale === 'ratio'
        ? { block: block.index, value: comparison / baseline, nullValue: twin / baseline }
        : { block: block.index, value: comparison - baseline, nullValue: twin - baseline },
    ];
  });
  const side = (arm: Arm) => {
    const values = valuesOf(id, kept, arm);
    return estimate(
      values,
      aggregate === 'sum' ? values.reduce((sum, value) => sum + value, 0) : median(values),
    );
  };
  const baseline = side('baseline');
  const comparison = side('comparison');
  const shifts = pairs.map((pair) => pair.value);
  const center = median(shifts);
  return {
    id,
    unit,
    baseline,
    comparison,
    delta: estimate(
      pairs.map((pair) => (scale === 'ratio' ? (pair.value - 1) * baseline.center : pair.value)),
      comparison.center - baseline.center,
    ),
    ratio: scale === 'ratio' ? estimate(shifts, center) : null,
    nullRatio: scale === 'ratio' ? estimate(pairs.map((pair) => pair.nullValue)) : null,
    outcome: scale === 'ratio' && Math.abs(center - 1) > 0.02 ? 'overhead' : 'inconclusive',
    reasons: id === 'latency_p99' ? ['Only 3,720 transactions a side: a 99th percentile needs 10,000.'] : [],
    pairs,
  };
}

function valuesOf(id: MetricId, blocks: Block[], arm: Arm): number[] {
  return blocks.flatMap((block) =>
    block.slots.filter((slot) => slot.arm === arm).flatMap((slot) => slot.values[id] ?? []),
  );
}

function estimate(values: number[], center = median(values)): Estimate {
  const halfWidth = (Math.max(...values) - Math.min(...values)) / 2;
  return { center, lo: center - halfWidth, hi: center + halfWidth };
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
}

function mean(values: number[]): number | undefined {
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;
}
