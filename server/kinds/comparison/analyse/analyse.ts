import type { Block, DropReasonCode } from '../../../../shared/block.ts';
import type { MetricComparison } from '../../../../shared/comparison.ts';
import { dropCause } from '../../../../shared/drop-advice.ts';
import { type Metric, type MetricId, metrics } from '../../../../shared/metric.ts';
import type { ProblemCode } from '../../../../shared/problem.ts';
import { printShare } from '../../../../shared/quantity.ts';
import type { Slot } from '../../../../shared/slot.ts';
import type { Arm } from '../../../../shared/transport.ts';
import { comparePaired, type Pair, type PairedComparison } from '../../../statistics/compare-paired.ts';
import { decideOutcomes } from '../../../statistics/decide-outcomes.ts';
import { medianInterval } from '../../../statistics/median-interval.ts';
import { listenersDiffer, noiseFloor } from '../../../statistics/noise-floor.ts';
import { refusalsOf } from './refusals.ts';

export type Analysis = {
  metrics: MetricComparison[];
  /** Shares, for metrics compared by ratio. */
  noiseFloor: Partial<Record<MetricId, number>>;
  warnings: string[];
  /** Why the whole run is refused; null when it stands. */
  refusal: { code: ProblemCode; detail: string } | null;
};

/** What is known of the run besides its blocks. */
export type AnalysisFacts = {
  /** A run that did not finish gets its figures, and no verdict. */
  finished: boolean;
  /** The null arm is a listener of its own, not the baseline's again. */
  ownTwin: boolean;
};

type Row = {
  metric: Metric;
  blocks: Block[];
  comparison: PairedComparison;
  twin: PairedComparison;
  refusals: string[];
};

/** Blocks → the delta table. Dropped blocks take no part. */
export function analyse(blocks: readonly Block[], facts: AnalysisFacts): Analysis {
  const kept = blocks.filter((block) => block.reasons.length === 0);
  const measured = metrics.map((metric) => rowOf(metric, kept, facts));
  const refusal = facts.finished ? refusalOf(blocks, kept, measured) : null;
  const rows =
    refusal === null
      ? measured
      : measured.map((row) => ({ ...row, refusals: ['The whole run was refused.'] }));
  const decisions = decideOutcomes(
    rows.map(({ metric, blocks, comparison, twin, refusals }) => ({
      metric,
      comparison,
      floor: floorOf(metric, twin),
      ...(metric.aggregate === 'sum' ? { usefulFloor: usefulGrowthBytes / slotsOfArm(blocks) } : {}),
      refusals,
    })),
  );
  return {
    metrics: rows.map((row, index) => ({
      ...describeRow(row),
      outcome: decisions[index]?.outcome ?? 'refused',
      reasons: decisions[index]?.reasons ?? [],
    })),
    noiseFloor: Object.fromEntries(
      rows
        .filter(({ metric, twin }) => metric.scale === 'ratio' && twin.ratio !== null)
        .map(({ metric, twin }) => [metric.id, floorOf(metric, twin)]),
    ),
    warnings: warningsOf(blocks, kept, facts),
    refusal,
  };
}

/**
 * Half-widths of the present ratio intervals, for the stopping rule; null where there is none yet. A metric that no
 * kept block holds, or that is refused as yet, is left out: waiting for it would only use the time up.
 */
export function halfWidthsOf(blocks: readonly Block[]): Partial<Record<MetricId, number | null>> {
  const kept = blocks.filter((block) => block.reasons.length === 0);
  const widths: Partial<Record<MetricId, number | null>> = {};
  for (const metric of metrics.filter(({ targetHalfWidth }) => targetHalfWidth !== null)) {
    const holding = blocksOf(metric, kept);
    const known = kept.some((block) => isAt(metric, block));
    if (known && refusalsOf(metric, holding, kept).length > 0) continue;
    const { ratio } = comparePaired(pairsOf(metric, holding, 'comparison'), metric.scale);
    widths[metric.id] = ratio === null ? null : (ratio.hi - ratio.lo) / 2;
  }
  return widths;
}

function rowOf(metric: Metric, kept: readonly Block[], facts: AnalysisFacts): Row {
  const blocks = blocksOf(metric, kept);
  return {
    metric,
    blocks,
    comparison: comparePaired(pairsOf(metric, blocks, 'comparison'), metric.scale),
    twin: comparePaired(pairsOf(metric, blocks, 'twin'), metric.scale),
    refusals: facts.finished
      ? refusalsOf(metric, blocks, kept)
      : ['The run did not finish, so nothing is concluded from it.'],
  };
}

/** The blocks that hold the metric on every arm. */
function blocksOf(metric: Metric, kept: readonly Block[]): Block[] {
  return kept.filter(
    (block) => isAt(metric, block) && block.slots.every((slot) => slot.values[metric.id] !== undefined),
  );
}

function isAt({ point }: Metric, block: Block): boolean {
  return point === 'any' || block.kind === point;
}

function pairsOf({ id }: Metric, blocks: readonly Block[], arm: Arm): Pair[] {
  return blocks.map((block) => ({
    a: valuesOf(block.slots, 'baseline', id),
    b: valuesOf(block.slots, arm, id),
  }));
}

function valuesOf(slots: readonly Slot[], arm: Arm, id: MetricId): number[] {
  return slots.filter((slot) => slot.arm === arm).flatMap((slot) => slot.values[id] ?? []);
}

function describeRow({
  metric,
  blocks,
  comparison,
  twin,
}: Row): Omit<MetricComparison, 'outcome' | 'reasons'> {
  const { id, unit } = metric;
  const side = (arm: Arm) => aggregate(metric, blocks, arm);
  return {
    id,
    unit,
    baseline: side('baseline'),
    comparison: side('comparison'),
    delta: metric.aggregate === 'sum' ? scaled(comparison.delta, slotsOfArm(blocks)) : comparison.delta,
    ratio: comparison.ratio,
    nullRatio: twin.ratio,
    pairs: blocks.map((block, index) => ({
      block: block.index,
      value: comparison.perBlock[index] ?? 0,
      nullValue: twin.perBlock[index] ?? null,
    })),
  };
}

/** Median of the slots; for growth, their sum, with the interval of what one slot adds scaled up to all. */
function aggregate(metric: Metric, blocks: readonly Block[], arm: Arm): MetricComparison['baseline'] {
  const values = blocks.flatMap((block) => valuesOf(block.slots, arm, metric.id));
  const middle = medianInterval(values);
  if (metric.aggregate === 'median' || middle === null) return middle;
  const { lo, hi } = middle;
  const sum = values.reduce((total, value) => total + value, 0);
  return { center: sum, lo: Math.min(sum, lo * values.length), hi: Math.max(sum, hi * values.length) };
}

/** A block's difference is a mean over its two slots an arm; the sum over all slots is that many times more. */
function scaled(estimate: MetricComparison['delta'], factor: number): MetricComparison['delta'] {
  if (estimate === null) return null;
  return { center: estimate.center * factor, lo: estimate.lo * factor, hi: estimate.hi * factor };
}

/** Below these, differences of metrics without a ratio are nothing, in the metric's unit. */
const smallestDifferences: Partial<Record<MetricId, number>> = {
  memory_growth: 1e6 / 2,
  disk_bytes_per_s: 1000,
};

/** Growth over the whole run that a noise floor may hide. */
const usefulGrowthBytes = 16e6;

/** Every arm has two slots in a block. */
function slotsOfArm(blocks: readonly Block[]): number {
  return 2 * Math.max(1, blocks.length);
}

function floorOf(metric: Metric, twin: PairedComparison): number {
  return metric.scale === 'ratio' ? noiseFloor(twin) : noiseFloor(twin, smallestDifferences[metric.id] ?? 0);
}

function warningsOf(blocks: readonly Block[], kept: readonly Block[], facts: AnalysisFacts): string[] {
  const dropped = blocks.length - kept.length;
  const warnings: string[] = [];
  if (dropped > blocks.length * disturbedShare && dropped <= blocks.length * refusedShare) {
    warnings.push(
      `Disturbed: ${dropped} of ${blocks.length} blocks were dropped. Repeat the run on a quieter machine.`,
    );
  }
  if (!facts.ownTwin && blocks.length > 0) {
    warnings.push(
      'The null arm is the baseline listener itself, as a second identical listener of this target is not known. The noise floor shows the noise of the machine, but not how far two processes of the same application differ.',
    );
  }
  return warnings;
}

const disturbedShare = 0.2;
const refusedShare = 0.4;

function refusalOf(
  blocks: readonly Block[],
  kept: readonly Block[],
  rows: readonly Row[],
): Analysis['refusal'] {
  const dropped = blocks.length - kept.length;
  if (dropped > blocks.length * refusedShare) {
    const reasons = new Map<DropReasonCode, number>();
    for (const { code } of blocks.flatMap((block) => block.reasons))
      reasons.set(code, (reasons.get(code) ?? 0) + 1);
    const [most] = [...reasons].sort((a, b) => b[1] - a[1]);
    return {
      code: 'too_disturbed',
      detail: `${dropped} of ${blocks.length} blocks were dropped (more than ${printShare(refusedShare)} allows), most of them because ${most === undefined ? 'of nothing known' : dropCause[most[0]]}.`,
    };
  }
  const differing = rows.find(
    ({ metric, twin }) => metric.primary && listenersDiffer(twin, 0.99, differenceOfListeners),
  );
  if (differing === undefined) return null;
  const change = printShare(Math.abs((differing.twin.ratio?.center ?? 1) - 1));
  return {
    code: 'listeners_differ',
    detail: `${differing.metric.title}: two identical listeners differ by ${change}, so a difference between the two sides cannot be put down to what they speak.`,
  };
}

/** Two processes of the same code may differ by this much; the noise floor carries it. Beyond, something is wrong. */
const differenceOfListeners = 0.05;
