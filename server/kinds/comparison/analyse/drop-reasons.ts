import type { DropReason, DropReasonCode } from '../../../../shared/block.ts';
import type { Plan } from '../../../../shared/load-profile.ts';
import { printNumber, printShare } from '../../../../shared/quantity.ts';
import type { Slot } from '../../../../shared/slot.ts';
import { rampMsOf } from '../plan/operating-point.ts';

/**
 * Why a block must not count, empty when it may. A block is dropped as a whole, because its slots are compared with
 * each other. Of each kind of trouble the first slot is named. A generator that is busy at the maximum point is no
 * reason here: it spoils throughput in every block alike, which is refused as a metric then.
 */
export function judgeBlock(slots: readonly Slot[], plan: Plan, cores: number): DropReason[] {
  return judges.flatMap(([code, judge]) => {
    for (const [index, slot] of slots.entries()) {
      const fact = judge(slot, { plan, cores, others: slots.filter((other) => other !== slot) });
      if (fact !== null) return [{ code, message: `Slot ${index + 1} (${slot.transport}): ${fact}.` }];
    }
    return [];
  });
}

type Surroundings = { plan: Plan; cores: number; others: readonly Slot[] };
/** The fact with its figures, or null. */
type Judge = (slot: Slot, surroundings: Surroundings) => string | null;

const judges: readonly (readonly [DropReasonCode, Judge])[] = [
  ['errors', failed],
  ['under_sent', underSent],
  ['late', late],
  ['steal', stolen],
  ['foreign_cpu', disturbed],
  ['generator_saturated', generatorSaturated],
  ['overrun', overrun],
  ['cpu_unverified', cpuUnverified],
];

function failed({ load }: Slot): string | null {
  const requests = load.errors.reduce((sum, group) => sum + group.count, 0);
  const [first] = load.errors;
  if (first !== undefined) return `${count(requests, 'request')} failed, first ${causeOf(first)}`;
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

function late({ load, point }: Slot): string | null {
  if (point !== 'steady') return null;
  const { latenessUs, latencyUs } = load;
  const [rank, lateness] = latenessUs.count < enoughForP99 ? ['90', latenessUs.p90] : ['99', latenessUs.p99];
  const limit = Math.max(latestUs, latestShareOfLatency * latencyUs.p50);
  if (lateness <= limit) return null;
  return `one in ${rank === '90' ? 'ten' : 'a hundred'} transactions was sent ${ms(lateness, limit)} late or more (${ms(limit)} is allowed)`;
}

const mostStolen = 0.03;
/** The kernel counts stolen time in ticks of 10 ms; two of them can be an accident of where the slot was cut. */
const leastStolenUs = 30_000;

function stolen({ host, load }: Slot, { cores }: Surroundings): string | null {
  if (host === null || host.stealRatio <= mostStolen) return null;
  if (host.stealRatio * load.elapsedUs * cores < leastStolenUs) return null;
  return `the hypervisor took ${printShare(host.stealRatio)} of the machine away`;
}

const mostForeign = 0.15;

function disturbed({ host }: Slot, { others }: Surroundings): string | null {
  if (host === null || host.foreignRatio <= mostForeign) return null;
  const usual = middleOf(others.flatMap((other) => other.host?.foreignRatio ?? []));
  if (host.foreignRatio <= 2 * usual) return null;
  return `other programs used ${printShare(host.foreignRatio)} of the machine, in the other slots ${printShare(usual)}`;
}

function middleOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

const busiestGenerator = 0.8;

function generatorSaturated({ load, point }: Slot): string | null {
  const share = load.generatorBusiestUs / Math.max(1, load.elapsedUs);
  if (point !== 'steady' || share <= busiestGenerator) return null;
  return `a process of the load generator used ${printShare(share)} of a core, so its own queue is in the latencies`;
}

const longestOverrun = 1.2;

function overrun({ load, point }: Slot, { plan }: Surroundings): string | null {
  const plannedUs = load.windowUs + (plan.slots[point].discardMs + rampMsOf(plan, point)) * 1000;
  // What was sent last may take its usual time: slow pages and pauses are no disturbance.
  const usualUs = load.latencyUs.p50 + plan.thinkMs * 1000;
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

function count(number: number, noun: string): string {
  return `${printNumber(number, 0)} ${noun}${number === 1 ? '' : 's'}`;
}

/** With a digit more where `limit` would look the same. */
function ms(us: number, limit = 0): string {
  const digits = us < 10_000 ? 1 : 0;
  const near = Math.abs(us - limit) < 1000 / 10 ** digits;
  return `${printNumber(us / 1000, near ? 2 : digits)} ms`;
}
