import { contrastOf, plainOf } from '../../../shared/base/arms.ts';
import { type Arm, twoSidesAndTwin } from '../../../shared/base/transport.ts';
import type { Block, Window } from '../../../shared/kinds/comparison/block.ts';
import type { Metric, MetricId } from '../../../shared/kinds/comparison/metric.ts';
import type { Slot } from '../../../shared/kinds/comparison/slot.ts';
import { mergeHistograms, tailRatio } from '../../method/statistics/latency-histogram.ts';
import { meanOf, sumOf } from '../../method/statistics/mean.ts';

/** The arms of every run. */
export const runArms = twoSidesAndTwin;

/** The comparison against the baseline and its twin. */
export const question = contrastOf(runArms);

/** A metric in one independent unit: a sample, a block without samples, or a whole launch. */
export type Reading = {
  launch: number;
  /** In the metric's unit; of baseline and twin together. */
  baseline: number;
  comparison: number;
  /** comparison against baseline: the logarithm of the ratio, or the difference. */
  shift: number;
  /** twin against baseline. */
  twinShift: number | null;
  /** Since the run started. */
  atMs: number;
  /** A sample that was set aside. */
  aside: boolean;
};

/** A run reads all of its blocks again whenever one has ended, and their histograms are dear to unpack. */
const readBefore = new WeakMap<Block, Map<MetricId, Reading[]>>();

/** Readings of one block: its samples, including those set aside, or the block itself; empty unless both sides have the metric. */
export function readBlock(metric: Metric, block: Block): Reading[] {
  const known = readBefore.get(block) ?? new Map<MetricId, Reading[]>();
  readBefore.set(block, known);
  const before = known.get(metric.id);
  if (before !== undefined) return before;
  const read = readAnew(metric, block);
  known.set(metric.id, read);
  return read;
}

function readAnew(metric: Metric, block: Block): Reading[] {
  const readSample = sampled[metric.id];
  if (readSample !== undefined && block.ratios[metric.id] !== undefined)
    return block.windows.flatMap((window) => {
      const { launch } = block;
      const read = readSample(window);
      return read === null ? [] : [{ launch, atMs: window.startedAtMs, aside: window.aside, ...read }];
    });
  return readTogether(metric, [block]) ?? [];
}

type Sampled = Omit<Reading, 'launch' | 'atMs' | 'aside'>;

const cpuOf = (window: Window, arms: readonly Arm[]) =>
  sumOf(arms.map((arm) => window.arms[arm].cpuUs ?? Number.NaN)) /
  sumOf(arms.map((arm) => window.arms[arm].transactions));
const meanBy =
  (read: (arm: Window['arms'][Arm]) => number | null) => (window: Window, arms: readonly Arm[]) =>
    meanOf(arms.map((arm) => read(window.arms[arm]) ?? Number.NaN));
const rateOf = meanBy(({ perS }) => perS);
const ratePer10Min = meanBy(({ perS }) => (perS === null ? null : perS * 600));

const sampled: Partial<Record<MetricId, (window: Window) => Sampled | null>> = {
  cpu_at_load: (window) => sampledBy(window, cpuOf),
  cpu_lone: (window) => sampledBy(window, cpuOf),
  throughput: (window) => sampledBy(window, rateOf),
  transactions_per_10_min: (window) => sampledBy(window, ratePer10Min),
  latency_p50: sampledLatency,
};

function sampledBy(window: Window, costOf: (window: Window, arms: readonly Arm[]) => number): Sampled | null {
  const [plain, comparison] = [costOf(window, plainOf(question)), costOf(window, [question.of])];
  if (!(plain > 0 && comparison > 0 && Number.isFinite(plain) && Number.isFinite(comparison))) return null;
  const twin = question.twin === null ? null : costOf(window, [question.twin]);
  const shift = logOf(comparison / plain);
  const twinShift = twin === null ? null : logOf(twin / costOf(window, [question.to]));
  return { baseline: plain, comparison, shift, twinShift: Number.isFinite(twinShift) ? twinShift : null };
}

/** The ratio comes from pairs, so one side follows from the other. */
function sampledLatency({ arms, pairRatio }: Window): Sampled | null {
  const plain = geometricMean(plainOf(question).map((arm) => arms[arm].medianUs ?? Number.NaN));
  if (pairRatio === undefined || !(plain > 0)) return null;
  return {
    ...{ baseline: plain, comparison: plain * pairRatio.value, shift: logOf(pairRatio.value) },
    twinShift: pairRatio.twinValue === null ? null : logOf(pairRatio.twinValue),
  };
}

/**
 * Readings of the blocks that contain the metric, one per independent unit. Most metrics are read block by block. Tails,
 * growth and the peak belong to a launch as a whole. With only one launch, its blocks are read instead, each
 * representing as much growth as the launch.
 */
export function readBlocks(metric: Metric, blocks: readonly Block[]): Reading[] {
  const launches = Map.groupBy(blocks, ({ launch }) => launch);
  if (!isOfWholeLaunch(metric) || launches.size < 2) {
    const readings = blocks.flatMap((block) => readBlock(metric, block));
    return metric.aggregate === 'sum'
      ? readings.map((reading) => multiplied(reading, readings.length))
      : readings;
  }
  return [...launches.values()].flatMap((of) => readTogether(metric, of) ?? []);
}

const tails: Partial<Record<MetricId, number>> = { latency_p90: 90, latency_p99: 99 };

function isOfWholeLaunch({ id, aggregate }: Metric): boolean {
  return aggregate === 'sum' || id === 'memory_peak' || tails[id] !== undefined;
}

function readTogether(metric: Metric, blocks: readonly Block[]): [Reading] | null {
  const percentile = tails[metric.id];
  if (percentile !== undefined) return readTail(percentile, metric, blocks);
  const slots = blocks.flatMap((block) =>
    block.slots.filter(({ values }) => values[metric.id] !== undefined),
  );
  const baseline = sideValue(metric, slots, [question.to]);
  const twin = question.twin === null ? null : sideValue(metric, slots, [question.twin]);
  const comparison = sideValue(metric, slots, [question.of]);
  const pooled = sideValue(metric, slots, plainOf(question));
  const [first] = blocks;
  if (first === undefined || baseline === null || comparison === null || pooled === null) return null;
  const shiftBetween = (to: number, from: number) =>
    metric.scale === 'ratio' ? logOf(to / from) : to - from;
  return [
    {
      launch: first.launch,
      atMs: first.slots[0]?.startedAtMs ?? 0,
      baseline: pooled,
      comparison,
      shift: shiftBetween(comparison, pooled),
      twinShift: twin === null ? null : shiftBetween(twin, baseline),
      aside: false,
    },
  ];
}

/** Pooled over an arm's slots, never over arms. */
function readTail(percentile: number, { id }: Metric, blocks: readonly Block[]): [Reading] | null {
  const slots = blocks.flatMap((block) => block.slots.filter(({ values }) => values[id] !== undefined));
  const timesOf = (arm: Arm) => {
    const own = slots.filter((slot) => slot.arm === arm);
    return own.length === 0 ? null : mergeHistograms(own.map(({ load }) => load.latencyHistogram));
  };
  const [first] = blocks;
  const [baseline, comparison] = [timesOf(question.to), timesOf(question.of)];
  if (first === undefined || baseline === null || comparison === null) return null;
  const twin = question.twin === null ? null : timesOf(question.twin);
  const tail = tailRatio(comparison, twin === null ? [baseline] : [baseline, twin], percentile);
  if (tail === null) return null;
  return [
    {
      ...{ launch: first.launch, atMs: first.slots[0]?.startedAtMs ?? 0 },
      ...{ baseline: tail.baseline, comparison: tail.comparison },
      ...{ shift: tail.log, twinShift: tail.twinLog, aside: false },
    },
  ];
}

/** Value of some arms' slots; null without slots, and for a ratio if it is not above zero. */
function sideValue(metric: Metric, slots: readonly Slot[], arms: readonly Arm[]): number | null {
  const each = arms.map((arm) => slots.filter((slot) => slot.arm === arm)).filter(({ length }) => length > 0);
  if (each.length === 0) return null;
  const value = combined(metric, each);
  return metric.scale === 'ratio' && !(value > 0) ? null : value;
}

/** @param arms the slots of each arm */
function combined({ id, aggregate, scale }: Metric, arms: readonly Slot[][]): number {
  const read = (slot: Slot) => slot.values[id] ?? 0;
  const ofArm = (slots: readonly Slot[]) => {
    const values = slots.map(read);
    if (aggregate === 'sum') return sumOf(values);
    if (id === 'memory_peak') return Math.max(...values);
    return scale === 'ratio' ? geometricMean(values) : meanOf(values);
  };
  const values = arms.map(ofArm);
  return scale === 'ratio' ? geometricMean(values) : meanOf(values);
}

const rounding = 1e-12;

/** Rounding must not turn no difference into one: if it were the same in every block, it would look certain. */
function logOf(ratio: number): number {
  const log = Math.log(ratio);
  return Math.abs(log) < rounding ? 0 : log;
}

function multiplied({ baseline, comparison, shift, twinShift, ...rest }: Reading, times: number): Reading {
  return {
    ...rest,
    baseline: baseline * times,
    comparison: comparison * times,
    shift: shift * times,
    twinShift: twinShift === null ? null : twinShift * times,
  };
}

function geometricMean(values: readonly number[]): number {
  return Math.exp(meanOf(values.map(Math.log)));
}
