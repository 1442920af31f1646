import type { Arm } from '../../../../shared/base/transport.ts';
import type { Block, BlockRatio, Window } from '../../../../shared/kinds/comparison/block.ts';
import { clusteredMedian } from '../../../method/statistics/clustered-median.ts';
import { hodgesLehmann } from '../../../method/statistics/hodges-lehmann.ts';
import { ratioOfSums } from '../../../method/statistics/ratio-of-sums.ts';

/** A window, and in lockstep the latencies (µs) of its groups: one transaction on each arm, back to back. */
export type MeasuredWindow = Window & { groups?: readonly Record<Arm, number>[] };

/** What a lockstep block says by its pairs. */
export function lockstepRatios(windows: readonly MeasuredWindow[]): Block['ratios'] {
  return {
    ...ratioOf('cpu_lone', windows, cpuShift),
    ...ratioOf('latency_p50', windows, latencyShift),
  };
}

/**
 * What a block at load says by its rounds, each of which holds a burst of every arm.
 * @param rated whether it kept to an arrival rate, so that its throughput is that rate
 */
export function maximumRatios(
  windows: readonly MeasuredWindow[],
  { rated = false }: { rated?: boolean } = {},
): Block['ratios'] {
  const cpu = ratioOf('cpu_at_load', windows, cpuShift);
  const { throughput } = rated ? {} : ratioOf('throughput', windows, throughputShift);
  return { ...cpu, ...(throughput === undefined ? {} : { throughput, transactions_per_10_min: throughput }) };
}

/** Logarithms. */
type Shift = { center: number; twin: number | null; error: number | null; robust?: number | null };

function ratioOf<Id extends string>(
  id: Id,
  windows: readonly MeasuredWindow[],
  shiftOf: (windows: readonly MeasuredWindow[]) => Shift | null,
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
function cpuShift(windows: readonly MeasuredWindow[]): Shift | null {
  const parts = windows.map(({ arms: { baseline, comparison, twin } }) => {
    if (baseline.cpuUs === null || comparison.cpuUs === null || twin.cpuUs === null) return null;
    return {
      comparison: { sum: comparison.cpuUs, count: comparison.transactions },
      baseline: { sum: baseline.cpuUs, count: baseline.transactions },
      twin: { sum: twin.cpuUs, count: twin.transactions },
      pooled: {
        sum: baseline.cpuUs + twin.cpuUs,
        count: baseline.transactions + twin.transactions,
      },
    };
  });
  const known = parts.filter((part) => part !== null);
  if (known.length < parts.length) return null;
  const ratio = ratioOfSums(
    known.map((part) => part.comparison),
    known.map((part) => part.pooled),
  );
  if (ratio === null) return null;
  const twin = ratioOfSums(
    known.map((part) => part.twin),
    known.map((part) => part.baseline),
  );
  const logs = known.flatMap(({ comparison, pooled }) =>
    logRatio(comparison.sum / comparison.count, pooled.sum / pooled.count),
  );
  const robust = logs.length === 0 ? null : hodgesLehmann(logs);
  return { center: ratio.log, twin: twin?.log ?? null, error: ratio.error, robust };
}

/** Median latency: the median over pairs of transactions that followed one another, which withstands far more than one over windows. */
function latencyShift(windows: readonly MeasuredWindow[]): Shift | null {
  const pairs = windows.map(({ groups = [] }) =>
    groups.flatMap(({ baseline, comparison, twin }) => [
      ...logRatio(comparison, baseline),
      ...logRatio(comparison, twin),
    ]),
  );
  const middle = clusteredMedian(pairs);
  if (middle === null) return null;
  const twins = windows.map(({ groups = [] }) =>
    groups.flatMap(({ baseline, twin }) => logRatio(twin, baseline)),
  );
  return { center: middle.median, twin: clusteredMedian(twins)?.median ?? null, error: middle.error };
}

/**
 * Throughput as a ratio of sums, as CPU is, so that one divides the other: all bursts of a block last equally long, so their rates
 * add up as transactions do.
 */
function throughputShift(windows: readonly MeasuredWindow[]): Shift | null {
  const rates = windows.flatMap(({ arms }) => {
    const [baseline, comparison, twin] = [arms.baseline.perS, arms.comparison.perS, arms.twin.perS];
    if (baseline === null || comparison === null || twin === null) return [];
    return [{ baseline, comparison, twin }];
  });
  const partsOf = (...of: Arm[]) =>
    rates.map((rate) => ({ sum: of.reduce((sum, arm) => sum + rate[arm], 0), count: of.length }));
  const ratio = ratioOfSums(partsOf('comparison'), partsOf('baseline', 'twin'));
  if (ratio === null) return null;
  const twin = ratioOfSums(partsOf('twin'), partsOf('baseline'));
  const logs = rates.flatMap((rate) => logRatio(rate.comparison, Math.sqrt(rate.baseline * rate.twin)));
  const robust = logs.length === 0 ? null : hodgesLehmann(logs);
  return { center: ratio.log, twin: twin?.log ?? null, error: ratio.error, robust };
}

/** None of a time that is not above zero. */
function logRatio(one: number, other: number): number[] {
  return one > 0 && other > 0 ? [Math.log(one / other)] : [];
}
