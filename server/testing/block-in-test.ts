import { byArm, namesOf, readOrder } from '../../shared/base/arms.ts';
import type { Arm } from '../../shared/base/transport.ts';
import type { Block, BlockRatio, Window } from '../../shared/kinds/comparison/block.ts';
import type { OperatingPoint } from '../../shared/kinds/comparison/load-profile.ts';
import type { MetricId } from '../../shared/kinds/comparison/metric.ts';
import type { LoadResult, Percentiles, ResourceUse, Slot } from '../../shared/kinds/comparison/slot.ts';
import { runArms } from '../kinds/comparison/metric-readings.ts';
import { encodeHistogram, newLatencyHistogram } from '../method/statistics/latency-histogram.ts';

/** Blocks made by hand for tests: plain figures, so that what is made of them can be worked out on paper. */

export function loadInTest(change: Partial<LoadResult> = {}): LoadResult {
  return {
    elapsedUs: 250_000,
    windowUs: 200_000,
    started: 100,
    succeeded: 100,
    succeededInWindow: 80,
    due: null,
    requests: 300,
    wireBytesRead: 900_000,
    wireBytesWritten: 100_000,
    bodyBytes: 800_000,
    connectionsOpened: 0,
    handshakesFull: 0,
    handshakesResumed: 0,
    renegotiations: 0,
    lifetime: { connectionsOpened: 8, handshakesFull: 0, handshakesResumed: 0, renegotiations: 0 },
    negotiated: null,
    errors: [],
    latencyUs: percentilesInTest(1000),
    latencyHistogram: histogramOf([1000, 1000, 1000]),
    latencyFromDueUs: percentilesInTest(1000),
    latenessUs: percentilesInTest(10),
    ttfbUs: percentilesInTest(400),
    executionTimeUs: 600,
    steps: [],
    phases: null,
    phaseHistograms: null,
    generatorCpuUs: 25_000,
    generatorBusiestUs: 25_000,
    ...change,
  };
}

export function resourcesInTest(change: Partial<ResourceUse> = {}): ResourceUse {
  return {
    source: 'proc',
    wallUs: 250_000,
    cpuUs: 50_000,
    cpuTickUs: 50_000,
    cpuWitnessUs: 50_000,
    rssPeakBytes: 90_000_000,
    memoryStartBytes: 80_000_000,
    memoryEndBytes: 81_000_000,
    diskReadBytes: 0,
    diskWriteBytes: 25_000,
    processes: 1,
    ...change,
  };
}

export function percentilesInTest(p50: number, count = 100): Percentiles {
  return { count, p50, p90: p50 * 2, p99: p50 * 3, max: p50 * 4 };
}

export function histogramOf(valuesUs: readonly number[]): string {
  const histogram = newLatencyHistogram();
  for (const value of valuesUs) histogram.recordValue(value);
  return encodeHistogram(histogram);
}

type SlotParts = { values?: Slot['values']; load?: Partial<LoadResult>; target?: ResourceUse | null };

/** Changes to a block, which is otherwise in the first epoch of the first launch, with its slots in the order A B N. */
type BlockParts = Partial<Omit<Block, 'index' | 'kind' | 'slots'>>;

/** A block with what `partsOf` says of each slot. */
export function blockInTest(
  index: number,
  kind: OperatingPoint,
  partsOf: (arm: Arm, place: number) => SlotParts = () => ({}),
  parts: BlockParts = {},
): Block {
  const { order = 'ABN' } = parts;
  const slots = readOrder(runArms, order).map((arm, place): Slot => {
    const { values = {}, load = {}, target = resourcesInTest() } = partsOf(arm, place);
    return {
      arm,
      transport: arm === 'comparison' ? 'https' : 'http',
      point: kind,
      startedAtMs: 0,
      load: loadInTest(load),
      target,
      host: null,
      curve: [],
      values,
    };
  });
  const windows = samplesSaying(parts.ratios ?? {}, slots);
  return { index, kind, launch: 0, epoch: 0, order, reasons: [], slots, windows, ratios: {}, ...parts };
}

/** One sample with the given ratios, around the values of the slots; none without ratios. */
export function samplesSaying(ratios: Block['ratios'], slots: readonly Slot[]): Block['windows'] {
  if (Object.keys(ratios).length === 0) return [];
  const cpu = ratios.cpu_at_load ?? ratios.cpu_lone;
  const [latency, throughput] = [ratios.latency_p50, ratios.throughput];
  const plainOf = (id: MetricId, otherwise: number) => {
    const values = slots.flatMap(({ arm, values }) => (arm === 'comparison' ? [] : (values[id] ?? [])));
    return values.length === 0
      ? otherwise
      : Math.exp(values.reduce((sum, each) => sum + Math.log(each), 0) / values.length);
  };
  const cost = plainOf(ratios.cpu_at_load === undefined ? 'cpu_lone' : 'cpu_at_load', 500);
  const transactions = 100;
  const of = (arm: Arm): Window['arms'][Arm] => ({
    transactions,
    cpuUs: cpu === undefined ? null : transactions * ofArm(arm, cpu, cost),
    medianUs: latency === undefined ? null : plainOf('latency_p50', 1000),
    perS: throughput === undefined ? null : ofArm(arm, throughput, plainOf('throughput', 1000)),
  });
  return [
    {
      ...{ startedAtMs: 0, elapsedMs: 1000, stealRatio: 0, foreignRatio: 0, aside: false },
      arms: byArm(namesOf(runArms), of),
      ...(latency === undefined ? {} : { pairRatio: { value: latency.value, twinValue: latency.twinValue } }),
    },
  ];
}

/** The value of an arm, if `mean` is the mean of both plain arms. */
function ofArm(arm: Arm, { value, twinValue }: BlockRatio, mean: number): number {
  if (arm === 'comparison') return value * mean;
  const twin = twinValue ?? 1;
  const baseline = (2 * mean) / (1 + twin);
  return arm === 'baseline' ? baseline : baseline * twin;
}

/** Nothing in the block can be compared. */
export const failed: Block['reasons'] = [
  { code: 'errors', message: 'HTTP: 1 request failed.', spoils: 'all' },
];
