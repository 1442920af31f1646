import { namesOf } from '../../shared/base/arms.ts';
import { printQuantity, scaleFor } from '../../shared/base/quantity.ts';
import type { AtLoad, LongerTurnReason } from '../../shared/kinds/comparison/at-load.ts';
import type { Scenario } from '../../shared/scenario/scenario.ts';
import { mostIdleShare, transactionsOfTurn } from '../base/addresses/burst-length.ts';
import { sumOf } from '../method/statistics/mean.ts';
import type { LoadBench, LoadPlan } from './bench.ts';
import type { LockstepWindow } from './lockstep.ts';

/** The length of a turn at load, ms: short because of noise, and longer only for a reason that the result names. */

/** The standard error of a second of measuring is smallest near this length; `npm run bench -- bursts`. */
const usualMs = 15;
/** Longer turns name their reason. */
const longestUnnamedMs = 20;
const pauses = 5;
const longestForPausesMs = 600;
/**
 * With several programs, the first requests after a switch cost several times as much as the ones after them, because each program
 * must wake up: Node in front of PostgreSQL took 83 µs per request in bursts of 15 ms, 48 in 60 ms, 46 in 250 ms, 44 in 1 s.
 */
const ofProgramsMs = 60;
/** Largest share of the time that shared processes may take until they sleep. */
const settlingShare = 0.15;
/** Largest share of the time that reading may take. */
const readingShare = 0.2;
/** Steps of a counter per turn: the kernel's ticks, and the steps of a counter on another host. */
const ticksOfTurn = 20;
const stepsOfTurn = 100;
/** Longest turn without generator hosts, because a sample contains at least one round. */
const longestMs = 1000;
const longestOverHostsMs = 6000;

type Seen = {
  /** Transactions per second of all users on the slower side; 0 if none ended. */
  perS?: number;
  /** Wait per turn until shared processes slept, µs. */
  settledUs?: number;
  busyCores?: number | null;
};

export function turnLength<Name extends string>(
  plan: Pick<LoadPlan, 'thinkMs' | 'maximumMs'>,
  bench: Pick<LoadBench<Name>, 'arms' | 'readings' | 'hosts' | 'quotaPeriodMs' | 'companions'>,
  users: number,
  { perS = 0, settledUs = 0, busyCores = null }: Seen = {},
): Pick<AtLoad, 'burstMs' | 'longerFor'> {
  const { remote } = bench.readings;
  const busy = Math.min(1, Math.max(0.01, busyCores ?? 1));
  const stepMs = (bench.readings.stepUs() ?? 0) / 1000;
  const wanted: Partial<Record<LongerTurnReason, number>> = {
    transactions: perS > 0 ? (transactionsOfTurn * users * 1000) / perS : 0,
    think_times: Math.min(longestForPausesMs, pauses * plan.thinkMs),
    generator_hosts:
      bench.hosts === undefined ? 0 : (bench.hosts.idleUs() / 1000) * ((1 - mostIdleShare) / mostIdleShare),
    readings:
      remote === null
        ? 0
        : Math.max((remote.readingUs * (1 - readingShare)) / readingShare, remote.readEveryUs) / 1000,
    ticks: (stepMs * (remote === null ? ticksOfTurn : stepsOfTurn)) / busy,
    settling: (settledUs / 1000) * ((1 - settlingShare) / settlingShare),
    quota: bench.quotaPeriodMs ?? 0,
    programs: bench.companions === undefined ? 0 : ofProgramsMs,
  };
  const [reason, neededMs] = Object.entries(wanted).reduce((most, each) => (each[1] > most[1] ? each : most));
  const most =
    bench.hosts === undefined
      ? Math.max(longestMs, plan.maximumMs / namesOf(bench.arms).length)
      : longestOverHostsMs;
  const periodMs = bench.quotaPeriodMs ?? 0;
  const wholeMs = periodMs === 0 ? neededMs : Math.ceil(Math.max(neededMs, periodMs) / periodMs) * periodMs;
  const burstMs = Math.round(Math.min(most, Math.max(usualMs, wholeMs)));
  return burstMs <= longestUnnamedMs ? { burstMs } : { burstMs, longerFor: reason as LongerTurnReason };
}

/**
 * Fits turns in lockstep to readings over a network, now that the length of a transaction is known, including the pauses that keep to
 * a permitted host's rate.
 */
export function fitTurns<Name extends string>(
  { permit }: Pick<LoadPlan, 'permit'>,
  { steps }: Pick<Scenario, 'steps'>,
  bench: Pick<LoadBench<Name>, 'arms' | 'readings' | 'turnTransactions'>,
  windows: readonly LockstepWindow<Name>[],
  transactionMs: number,
): void {
  const { remote } = bench.readings;
  const arms = namesOf(bench.arms);
  bench.turnTransactions = fewestTransactions(1000 * transactionMs);
  const mediansUs = windows.flatMap((window) => arms.flatMap((arm) => window.arms[arm].medianUs ?? []));
  if (remote === null || mediansUs.length === 0) return;
  const pacedUs = permit === undefined ? 0 : (steps.length * 1e6) / permit.caps.requestsPerS;
  const transactionUs = Math.max(pacedUs, Math.min(...mediansUs));
  bench.turnTransactions = turnSize(remote, transactionUs);
  const grain = remote.grain();
  if (grain === null) return;
  const cheapestUs = Math.min(...arms.map((arm) => cpuOf(arm, windows)));
  const fit = turnForGrain(grain, cheapestUs, Math.max(pacedUs, ...mediansUs));
  if ('refused' in fit) {
    remote.refuse(fit.refused);
    bench.turnTransactions = fewestTransactions(transactionUs);
  } else bench.turnTransactions = Math.max(bench.turnTransactions, fit.transactions);
}

/** CPU per transaction, µs, over all windows, because a step of a counter may be longer than one window. */
function cpuOf<Name extends string>(arm: Name, windows: readonly LockstepWindow<Name>[]): number {
  const each = windows.map(({ arms: measured }) => measured[arm]);
  const transactions = sumOf(each.map((measured) => measured.transactions));
  return sumOf(each.map(({ cpuUs }) => cpuUs ?? 0)) / Math.max(1, transactions);
}
/** A few are enough if readings are cheap, because the scheduler counts in ns. */
export const usualTransactions = 5;
/** A turn of this length needs no more transactions, because reading at its edges takes little of it. */
const longEnoughUs = 60_000;
/** With 100 instead of 5, the same time gave intervals five times as wide: the machine changes between two arms. */
const mostTransactions = 200;
/** Longest turn if a counter needs more work, because all arms must fit into an epoch. */
const longestTurnUs = 2e6;
/** A step of the counter may be at most this share of a turn's CPU. */
const stepShare = 0.01;
/** The target's cost of a reading may be a larger share, because it is known and subtracted. */
const readingCpuShare = 0.1;

/** Fewest transactions of a turn, depending on the length of one. */
function fewestTransactions(transactionUs: number): number {
  return Math.max(1, Math.min(usualTransactions, Math.floor(longEnoughUs / Math.max(1, transactionUs))));
}

/**
 * Transactions of a turn if the target's CPU is read between turns over a network: enough that readings take at most `readingShare`
 * of the time.
 * @param readingUs one reading
 * @param readEveryUs how often the target may be read
 * @param transactionUs one transaction of the fastest arm
 */
export function turnSize(
  { readingUs, readEveryUs }: { readingUs: number; readEveryUs: number },
  transactionUs: number,
): number {
  const turnUs = Math.max((readingUs * (1 - readingShare)) / readingShare, readEveryUs - readingUs);
  const wanted = Math.ceil(turnUs / Math.max(1, transactionUs));
  return Math.min(mostTransactions, Math.max(fewestTransactions(transactionUs), wanted));
}

/** Resolution and cost of a CPU counter. */
type Grain = {
  /** Smallest step; null while it has not moved. */
  stepUs: number | null;
  /** CPU cost of a reading for the target. */
  readingCpuUs: number;
};

/**
 * Transactions that a turn needs so its CPU is well above a step of the counter, or a sentence that says why no turn is long enough.
 * @param cpuUs the target's CPU for a transaction of the cheapest arm
 * @param transactionUs time from one transaction to the next, at the permitted rate
 */
export function turnForGrain(
  { stepUs, readingCpuUs }: Grain,
  cpuUs: number,
  transactionUs: number,
): { transactions: number } | { refused: string } {
  const most = Math.max(
    1,
    Math.min(mostTransactions, Math.floor(longestTurnUs / Math.max(1, transactionUs))),
  );
  if (stepUs === null || cpuUs <= 0) {
    return {
      refused:
        'Not measured: the exporter’s CPU counter did not move during the warm-up. Either its steps are too coarse for requests that cost so little, or the exporter reads it every few seconds only, as cAdvisor does. Use an agent.',
    };
  }
  const print = (us: number) => printQuantity(us, scaleFor('us', [us]));
  const used = `the longest turn of a side, ${most} transactions, uses ${print(most * cpuUs)}`;
  if (stepUs > most * cpuUs * stepShare) {
    return {
      refused: `Not measured: the exporter’s CPU counter moves in steps of ${print(stepUs)}, and ${used}. A step may be 1 % of that at most. Use an agent, or requests that cost more CPU.`,
    };
  }
  if (readingCpuUs > most * cpuUs * readingCpuShare) {
    return {
      refused: `Not measured: each reading of the exporter costs the target ${print(readingCpuUs)} of CPU itself, and ${used}. Use an agent, or requests that cost more CPU.`,
    };
  }
  const leastUs = Math.max(stepUs / stepShare, readingCpuUs / readingCpuShare);
  return { transactions: Math.max(1, Math.ceil(leastUs / cpuUs)) };
}
