import { printNumber, printShare } from '../../../shared/base/quantity.ts';
import type { DropReason, DropReasonCode, WindowOf } from '../../../shared/kinds/comparison/block.ts';
import type { OperatingPoint, Plan } from '../../../shared/kinds/comparison/load-profile.ts';
import type { MetricId } from '../../../shared/kinds/comparison/metric.ts';
import type { LoadResult, ResourceUse, SlotOf } from '../../../shared/kinds/comparison/slot.ts';
import { canDoWithout } from '../../method/statistics/windows.ts';

type Slot = SlotOf<string>;

/**
 * Reasons why a block is unfit for the comparison, and for which metrics; empty if there are none. The whole block is
 * dropped, never one slot, because its arms are compared with each other. Each kind of problem names its first slot.
 * A busy machine is no reason, nor are failures in a few windows: `judgeWindows` sees to them. Nor is a busy generator at the
 * maximum: it spoils throughput in every block, so throughput is then refused as a metric.
 */
export function judgeBlock(
  kind: OperatingPoint,
  slots: readonly Slot[],
  { plan, labels, windows = [] }: Judging,
): DropReason[] {
  return judges.flatMap(({ code, spoils, points, judge }) => {
    if (points !== undefined && !points.includes(kind)) return [];
    if (code === 'errors' && canDoWithout(windows)) return [];
    const spoilt = (code === 'errors' && slots.every(failsSeldom) && spoiltBySeldom[kind]) || spoils;
    for (const slot of slots) {
      const fact = judge(slot, plan);
      if (fact !== null) return [{ code, spoils: spoilt, message: `${labels[slot.arm]}: ${fact}.` }];
    }
    return [];
  });
}

type Judging = {
  plan: Plan;
  /** Label of each arm. */
  labels: Readonly<Record<string, string>>;
  windows?: readonly Pick<WindowOf<string>, 'failed'>[];
};

type Judgement = {
  code: DropReasonCode;
  spoils: DropReason['spoils'];
  /** Operating points that it judges; omitted for all. */
  points?: readonly OperatingPoint[];
  /** The fact with its figures, or null. */
  judge: (slot: Slot, plan: Plan) => string | null;
};

/** Only arrivals at a rate can be missed, or come late. */
const openLoad: Pick<Judgement, 'spoils' | 'points'> = { spoils: 'latency', points: ['steady'] };

const judges: readonly Judgement[] = [
  { code: 'errors', spoils: 'all', judge: failed },
  { code: 'under_sent', ...openLoad, judge: underSent },
  { code: 'late', ...openLoad, judge: late },
  { code: 'generator_saturated', ...openLoad, judge: generatorSaturated },
  { code: 'overrun', ...openLoad, judge: overrun },
  { code: 'cpu_unverified', spoils: 'CPU', judge: cpuUnverified },
  // In lockstep turns are as long as the steps need.
  { code: 'cpu_unverified', spoils: 'CPU', points: ['steady'], judge: cpuTooCoarse },
];

/**
 * Share of the transactions. Their cost is then known to this precision. At the maximum a user whose transaction failed pauses, which
 * costs throughput more; at a rate the failed ones may be those that took longest.
 */
const seldom = 0.005;
const spoiltBySeldom: Partial<Record<OperatingPoint, DropReason['spoils']>> = {
  maximum: 'throughput',
  steady: 'latency',
};

function failsSeldom({ load }: Slot): boolean {
  return Math.max(requestsFailed(load), load.started - load.succeeded) <= seldom * load.started;
}

function requestsFailed({ errors }: Slot['load']): number {
  return errors.reduce((sum, group) => sum + group.count, 0);
}

function failed({ load }: Slot): string | null {
  const [first] = load.errors;
  if (first !== undefined) return `${count(requestsFailed(load), 'request')} failed, first ${causeOf(first)}`;
  const lost = load.started - load.succeeded;
  return lost > 0 ? `${lost} of ${count(load.started, 'transaction')} did not succeed` : null;
}

function causeOf({ step, detail }: Slot['load']['errors'][number]): string {
  return step === null ? detail : `${step}: ${detail}`;
}

const leastSent = 0.95;

function underSent({ load }: Slot): string | null {
  if (load.due === null || load.started >= leastSent * load.due) return null;
  return `only ${printNumber(load.started, 0)} of the ${printNumber(load.due, 0)} planned transactions were sent`;
}

const latestUs = 2000;
const latestShareOfLatency = 0.2;
/** A percentile needs ten values beyond it; of fewer transactions two late ones would cost the block. */
const enoughForP99 = 1000;

function late({ load }: Slot): string | null {
  const { latenessUs, latencyUs } = load;
  const [rank, lateness] = latenessUs.count < enoughForP99 ? ['90', latenessUs.p90] : ['99', latenessUs.p99];
  const limit = Math.max(latestUs, latestShareOfLatency * latencyUs.p50);
  if (lateness <= limit) return null;
  return `one in ${rank === '90' ? 'ten' : 'a hundred'} transactions was sent ${ms(lateness, limit)} late or more (${ms(limit)} is allowed)`;
}

const busiestGenerator = 0.8;

function generatorSaturated({ load }: Slot): string | null {
  const share = load.generatorBusiestUs / Math.max(1, load.elapsedUs);
  if (share <= busiestGenerator) return null;
  return `a load generator process used ${printShare(share)} of a core, so its own queueing adds to the latencies`;
}

const longestOverrun = 1.2;

function overrun({ load }: Slot, { openMs, rampMs, thinkMs }: Plan): string | null {
  // A slow page may have had no arrival in the window.
  if (load.latencyUs.count === 0) return null;
  const plannedUs = Math.max(load.windowUs, ((openMs ?? 0) + rampMs) * 1000);
  // The last transaction may take its usual time: slow pages and pauses are no disturbance.
  const usualUs = load.latencyUs.p50 + thinkMs * 1000;
  if (load.elapsedUs <= longestOverrun * plannedUs + usualUs) return null;
  return `it took ${ms(load.elapsedUs)} instead of ${ms(plannedUs)}`;
}

const tickUs = 10_000;

/** Ticks are cut at both edges of a slot, in every process; 1 % is left for reading one source after the other. */
function cpuUnverified({ target }: Slot): string | null {
  if (target === null) return null;
  const toleranceUs = 2 * tickUs * Math.max(1, target.processes) + 0.01 * target.cpuUs;
  const sources: [string, number | null][] = [
    ['the kernel’s ticks', target.cpuTickUs],
    ['the target itself', target.cpuWitnessUs],
  ];
  for (const [source, otherUs] of sources) {
    if (otherUs !== null && Math.abs(otherUs - target.cpuUs) > toleranceUs) {
      return `its CPU time is ${ms(target.cpuUs)}, but ${ms(otherUs)} by ${source}`;
    }
  }
  return null;
}

const largestStep = 0.01;

function cpuTooCoarse({ target }: Slot): string | null {
  if (target?.cpuStepUs === undefined || target.cpuStepUs <= largestStep * target.cpuUs) return null;
  return `its CPU time of ${ms(target.cpuUs)} was read in steps of ${ms(target.cpuStepUs)}, and a step may be ${printShare(largestStep)} of it at most`;
}

function count(number: number, noun: string): string {
  return `${printNumber(number, 0)} ${noun}${number === 1 ? '' : 's'}`;
}

/** With a digit more where `limit` would look the same. */
function ms(us: number, limit = 0): string {
  const digits = us < 10_000 ? 1 : 0;
  const near = Math.abs(us - limit) < 1000 / 10 ** digits;
  return `${printNumber(us / 1000, near ? 2 : digits)} ms`;
}

type Values = Partial<Record<MetricId, number>>;

/**
 * Values of one slot for each metric, in the metric's unit. Omits metrics that the slot cannot give:
 * throughput of a slot below the maximum, traffic per second if no rate was offered, CPU of a target whose process is not known.
 * @param growthBytes memory added since the slot before it on the same arm
 * @param rated whether it kept to an arrival rate at load, so that its throughput is that rate
 */
export function valuesOfSlot(
  point: OperatingPoint,
  load: LoadResult,
  target: ResourceUse | null,
  growthBytes: number | null,
  rated = false,
): Values {
  const values = point === 'maximum' ? atLoad(load, target, rated) : costs(point, load, target);
  if (point === 'steady') Object.assign(values, perSecond(load, target));
  if (target !== null) values.memory_peak = target.rssPeakBytes;
  if (growthBytes !== null) values.memory_growth = growthBytes;
  return values;
}

function atLoad(load: LoadResult, target: ResourceUse | null, rated: boolean): Values {
  const perS = load.succeededInWindow / (load.windowUs / 1e6);
  return {
    ...(rated ? {} : { throughput: perS, transactions_per_10_min: perS * 600 }),
    ...(target === null || load.succeeded === 0 ? {} : { cpu_at_load: target.cpuUs / load.succeeded }),
  };
}

/** Costs per transaction. */
function costs(point: OperatingPoint, load: LoadResult, target: ResourceUse | null): Values {
  const cpu = point === 'steady' ? 'cpu_half_load' : 'cpu_lone';
  if (load.succeeded === 0) return {};
  return {
    ...latencies(load),
    ...(load.executionTimeUs === null ? {} : { execution_time: load.executionTimeUs }),
    ...(target === null ? {} : { [cpu]: target.cpuUs / load.succeeded }),
    wire_bytes_per_transaction: (load.wireBytesRead + load.wireBytesWritten) / load.succeeded,
  };
}

function latencies(load: LoadResult): Values {
  if (load.latencyUs.count === 0) return {};
  return {
    latency_p50: load.latencyUs.p50,
    latency_p90: load.latencyUs.p90,
    latency_p99: load.latencyUs.p99,
    ttfb_p50: load.ttfbUs.p50,
  };
}

/** By the time under load: reading the target at both edges takes time of its own, which is part of its wall time. */
function perSecond(load: LoadResult, target: ResourceUse | null): Values {
  if (load.succeeded === 0 || load.elapsedUs === 0) return {};
  const seconds = load.elapsedUs / 1e6;
  return {
    network_bytes_per_s: (load.wireBytesRead + load.wireBytesWritten) / seconds,
    ...(target === null ? {} : resources(target, seconds)),
  };
}

function resources({ cpuUs, diskReadBytes, diskWriteBytes }: ResourceUse, seconds: number): Values {
  const values: Values = { cpu_utilization: (cpuUs / 1e6 / seconds) * 100 };
  if (diskReadBytes !== null && diskWriteBytes !== null) {
    values.disk_bytes_per_s = (diskReadBytes + diskWriteBytes) / seconds;
  }
  return values;
}
