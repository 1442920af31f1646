import { type Contrast, plainOf } from '../../../shared/base/arms.ts';
import { mapEstimate } from '../../../shared/base/estimate-arithmetic.ts';
import type { Arm, BySide } from '../../../shared/base/transport.ts';
import type { Estimate } from '../../../shared/base/units.ts';
import type {
  Block,
  BlockRatio,
  RunEvent,
  SideError,
  WindowOf,
} from '../../../shared/kinds/comparison/block.ts';
import type { Plan } from '../../../shared/kinds/comparison/load-profile.ts';
import { type Metric, metricOf, metrics } from '../../../shared/kinds/comparison/metric.ts';
import { noPast } from '../../../shared/kinds/comparison/past.ts';
import { clusteredMedian, hodgesLehmann, median, ratioOfSums } from '../../method/statistics/intervals.ts';
import { meanOf, sumOf } from '../../method/statistics/mean.ts';
import { boundsOf, precisionOf } from '../../method/statistics/precision.ts';
import { isSpoiled, priorsOf, type Surroundings, soundBlocksOf } from './compared-metric.ts';
import { type Reading, readBlock } from './metric-readings.ts';

/** A window, and in lockstep the latencies (µs) of its groups: one transaction on each arm, back to back. */
export type MeasuredWindow<Name extends string = Arm> = WindowOf<Name> & {
  groups?: readonly Record<Name, number>[];
};

/** Latency ratio from the pairs of a lockstep window; empty if no pair succeeded. */
export function pairRatioOf<Name extends string>(
  groups: readonly Record<Name, number>[],
  contrast: Contrast<Name>,
): Pick<WindowOf<Name>, 'pairRatio'> {
  const { of, to, twin } = contrast;
  const logs = groups.flatMap((group) => plainOf(contrast).flatMap((arm) => logRatio(group[of], group[arm])));
  if (logs.length === 0) return {};
  const twins = groups.flatMap((group) => (twin === null ? [] : logRatio(group[twin], group[to])));
  const ratioOf = (of: number[]) => Number(Math.exp(median(of)).toPrecision(6));
  return { pairRatio: { value: ratioOf(logs), twinValue: twins.length === 0 ? null : ratioOf(twins) } };
}

/** Ratios of a lockstep block from its pairs. */
export function lockstepRatios<Name extends string>(
  windows: readonly MeasuredWindow<Name>[],
  contrast: Contrast<Name>,
): Block['ratios'] {
  return {
    ...ratioOf('cpu_lone', windows, (kept) => cpuShift(kept, contrast)),
    ...ratioOf('latency_p50', windows, (kept) => latencyShift(kept, contrast)),
  };
}

/**
 * Ratios of a block at load from its samples. Each sample contains turns of every arm.
 * @param rated the block was paced, so its throughput is that rate
 */
export function maximumRatios<Name extends string>(
  windows: readonly MeasuredWindow<Name>[],
  contrast: Contrast<Name>,
  { rated = false }: { rated?: boolean } = {},
): Block['ratios'] {
  const cpu = ratioOf('cpu_at_load', windows, (kept) => cpuShift(kept, contrast));
  const { throughput } = rated
    ? {}
    : ratioOf('throughput', windows, (kept) => throughputShift(kept, contrast));
  return { ...cpu, ...(throughput === undefined ? {} : { throughput, transactions_per_10_min: throughput }) };
}

/** Logarithms. */
type Shift = { center: number; twin: number | null; error: number | null; robust?: number | null };

function ratioOf<Id extends string, Each extends { aside: boolean }>(
  id: Id,
  windows: readonly Each[],
  shiftOf: (windows: readonly Each[]) => Shift | null,
): Partial<Record<Id, BlockRatio>> {
  const shift = shiftOf(windows.filter(({ aside }) => !aside));
  const all = shiftOf(windows);
  if (shift === null || all === null) return {};
  const ratio: BlockRatio = {
    value: Math.exp(shift.center),
    twinValue: shift.twin === null ? null : Math.exp(shift.twin),
    allValue: Math.exp(all.center),
    logError: shift.error,
    ...(shift.robust == null ? {} : { robustValue: Math.exp(shift.robust) }),
  };
  return [ratio.value, ratio.allValue].every(isRatio) ? ({ [id]: ratio } as Record<Id, BlockRatio>) : {};
}

function isRatio(value: number): boolean {
  return Number.isFinite(value) && value > 0;
}

/**
 * CPU per transaction as a ratio of sums: a mean must contain what is paid in few windows only, such as garbage collection.
 * Null when a window lacks the CPU of an arm.
 */
function cpuShift<Name extends string>(
  windows: readonly MeasuredWindow<Name>[],
  contrast: Contrast<Name>,
): Shift | null {
  const { of, to, twin } = contrast;
  const plain = plainOf(contrast);
  if (windows.some(({ arms }) => [of, ...plain].some((arm) => arms[arm].cpuUs === null))) return null;
  const partsOf = (...names: readonly Name[]): Part[] =>
    windows.map(({ arms }) => ({
      sum: sumOf(names.map((arm) => arms[arm].cpuUs ?? 0)),
      count: sumOf(names.map((arm) => arms[arm].transactions)),
    }));
  const [parts, pooled] = [partsOf(of), partsOf(...plain)];
  const ratio = ratioOfSums(parts, pooled);
  if (ratio === null) return null;
  const ofTwin = twin === null ? null : ratioOfSums(partsOf(twin), partsOf(to));
  const logs = parts.flatMap(({ sum, count }, window) => {
    const other = pooled[window] as Part;
    return logRatio(sum / count, other.sum / other.count);
  });
  const robust = logs.length === 0 ? null : hodgesLehmann(logs);
  return { center: ratio.log, twin: ofTwin?.log ?? null, error: ratio.error, robust };
}

type Part = { sum: number; count: number };

/** Median latency: the median over pairs of transactions that followed one another, which withstands far more than one over windows. */
function latencyShift<Name extends string>(
  windows: readonly MeasuredWindow<Name>[],
  contrast: Contrast<Name>,
): Shift | null {
  const { of, to, twin } = contrast;
  const pairs = windows.map(({ groups = [] }) =>
    groups.flatMap((group) => plainOf(contrast).flatMap((arm) => logRatio(group[of], group[arm]))),
  );
  const middle = clusteredMedian(pairs);
  if (middle === null) return null;
  const twins = windows.map(({ groups = [] }) =>
    twin === null ? [] : groups.flatMap((group) => logRatio(group[twin], group[to])),
  );
  return { center: middle.median, twin: clusteredMedian(twins)?.median ?? null, error: middle.error };
}

/**
 * Throughput as a ratio of sums, as CPU is, so that one divides the other: all bursts of a block last equally long, so their rates
 * add up as transactions do.
 */
function throughputShift<Name extends string>(
  windows: readonly MeasuredWindow<Name>[],
  contrast: Contrast<Name>,
): Shift | null {
  const { of, to, twin } = contrast;
  const plain = plainOf(contrast);
  const known = windows.filter(({ arms }) => [of, ...plain].every((arm) => arms[arm].perS !== null));
  const rates = known.map(
    ({ arms }) =>
      (arm: Name) =>
        arms[arm].perS ?? 0,
  );
  const partsOf = (...names: readonly Name[]): Part[] =>
    rates.map((rate) => ({ sum: sumOf(names.map(rate)), count: names.length }));
  const ratio = ratioOfSums(partsOf(of), partsOf(...plain));
  if (ratio === null) return null;
  const ofTwin = twin === null ? null : ratioOfSums(partsOf(twin), partsOf(to));
  const logs = rates.flatMap((rate) =>
    logRatio(rate(of), twin === null ? rate(to) : Math.sqrt(rate(to) * rate(twin))),
  );
  const robust = logs.length === 0 ? null : hodgesLehmann(logs);
  return { center: ratio.log, twin: ofTwin?.log ?? null, error: ratio.error, robust };
}

/** None of a time that is not above zero. */
function logRatio(one: number, other: number): number[] {
  return one > 0 && other > 0 ? [Math.log(one / other)] : [];
}

type BlockEvent = Extract<RunEvent, { type: 'block' }>;
type Known = Pick<Surroundings, 'target'> & Pick<Plan, 'openMs'>;

const headline = metricOf('cpu_at_load');

/**
 * The event of a finished block: its values and the headline's interval. Analyzing more would disturb the measurement. Provisional,
 * never a verdict.
 */
export function describeBlock(block: Block, all: readonly Block[], known: Known): RunEvent {
  const values: BlockEvent['values'] = {};
  const ratios: BlockEvent['ratios'] = {};
  for (const metric of metrics) {
    if (!countsFor(metric, block, known)) continue;
    const readings = keptOf(metric, [block]);
    if (readings.length === 0) continue;
    values[metric.id] = {
      baseline: meanOf(readings.map(({ baseline }) => baseline)),
      comparison: meanOf(readings.map(({ comparison }) => comparison)),
    };
    if (metric.scale === 'ratio') ratios[metric.id] = Math.exp(meanOf(readings.map(({ shift }) => shift)));
  }
  const { index, kind, launch, epoch, windows } = block;
  return {
    ...{ type: 'block', index, kind, launch, epoch },
    reasons: block.reasons,
    windows: { measured: windows.length, aside: windows.filter(({ aside }) => aside).length },
    ...{ values, ratios, interval: intervalOf(all, known) },
  };
}

/** Whether this block counts for the metric, which depends on whether the run has open load. */
function countsFor(metric: Metric, block: Block, { openMs }: Known): boolean {
  const { points } = metric;
  const [first] = points.filter((point) => point !== 'steady' || openMs !== null);
  return (points.length > 2 || block.kind === first) && !isSpoiled(metric, block);
}

/** Interval for the table, without widenings. Comes from the prior alone if nothing has varied yet. */
function intervalOf(all: readonly Block[], { target }: Known): Estimate | null {
  const units = keptOf(headline, soundBlocksOf(headline, all)).map(({ launch, shift }) => ({
    launch,
    value: shift,
  }));
  if (units.length === 0) return null;
  const precision = precisionOf(units, priorsOf(headline, { target, past: noPast }));
  return precision === null ? null : mapEstimate(boundsOf(precision), Math.exp);
}

function keptOf(metric: Metric, blocks: readonly Block[]): Reading[] {
  return blocks.flatMap((block) => readBlock(metric, block)).filter(({ aside }) => !aside);
}

/** Merges equal errors of a side. The largest group comes first. */
export function errorsOf(blocks: readonly Pick<Block, 'slots'>[], names: BySide<string>): SideError[] {
  const merged = new Map<string, SideError>();
  for (const { arm, load } of blocks.flatMap(({ slots }) => slots)) {
    const side = arm === 'comparison' ? 'comparison' : 'baseline';
    for (const { transport: _, ...group } of load.errors) {
      const key = [side, group.step, group.outcome, group.detail].join('\n');
      const count = group.count + (merged.get(key)?.count ?? 0);
      merged.set(key, { ...group, side, name: names[side], count });
    }
  }
  return [...merged.values()].sort((a, b) => b.count - a.count);
}
