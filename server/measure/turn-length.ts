import { namesOf } from '../../shared/base/arms.ts';
import { printQuantity, scaleFor } from '../../shared/base/quantity.ts';
import type { AtLoad, LongerTurnReason } from '../../shared/kinds/comparison/at-load.ts';
import type { Scenario } from '../../shared/scenario/scenario.ts';
import { mostIdleShare, transactionsOfTurn } from '../base/addresses/burst-length.ts';
import { sumOf } from '../method/statistics/mean.ts';
import type { LoadBench, LoadPlan } from './bench.ts';
import type { LockstepWindow } from './lockstep.ts';

/** The length of a turn at load, ms: as short as the noise asks for, and longer only for a reason that the result names. */

/** Standard errors per second of measuring are least near it; `npm run bench -- bursts`. */
const usualMs = 15;
/** Longer turns name their reason. */
const longestUnnamedMs = 20;
const pauses = 5;
const longestForPausesMs = 600;
/** Share of the time that shared processes may take until they sleep. */
const settlingShare = 0.15;
/** Share of the time that reading may take. */
const readingShare = 0.2;
/** Steps of a counter in a turn: of the kernel's ticks, and of a counter elsewhere. */
const ticksOfTurn = 20;
const stepsOfTurn = 100;
/** A sample of all arms holds a round. */
const longestMs = 1000;
const longestOverHostsMs = 6000;

type Seen = {
  /** Transactions per second of all users, on the slower side; 0 where none ended. */
  perS?: number;
  /** Waited per turn until shared processes slept, µs. */
  settledUs?: number;
  busyCores?: number | null;
};

export function turnLength<Name extends string>(
  plan: Pick<LoadPlan, 'thinkMs' | 'maximumMs'>,
  bench: Pick<LoadBench<Name>, 'arms' | 'readings' | 'hosts' | 'quotaPeriodMs'>,
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
 * Makes turns in lockstep as long as readings over a network ask for, now that the length of a transaction is known, with the pauses
 * that keep to a permitted host's rate.
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

/** CPU per transaction, µs; over all windows, because a step of a counter may be longer than one of them. */
function cpuOf<Name extends string>(arm: Name, windows: readonly LockstepWindow<Name>[]): number {
  const each = windows.map(({ arms: measured }) => measured[arm]);
  const transactions = sumOf(each.map((measured) => measured.transactions));
  return sumOf(each.map(({ cpuUs }) => cpuUs ?? 0)) / Math.max(1, transactions);
}
/** The scheduler counts in ns, so a few are enough where a reading costs next to nothing. */
export const usualTransactions = 5;
/** So long that reading at its edges takes little of it, whatever it holds. */
const longEnoughUs = 60_000;
/** With 100 instead of 5, the same time gave intervals five times as wide: the machine changes between two arms. */
const mostTransactions = 200;
/** Of a turn of which a counter needs more work: all arms have to fit into an epoch. */
const longestTurnUs = 2e6;
/** Of the CPU of a turn, at most. */
const stepShare = 0.01;
/** Of it what reading costs the target may be more, as that is known and subtracted. */
const readingCpuShare = 0.1;

/** Transactions of a turn that need not be more, by how long one takes. */
function fewestTransactions(transactionUs: number): number {
  return Math.max(1, Math.min(usualTransactions, Math.floor(longEnoughUs / Math.max(1, transactionUs))));
}

/**
 * Transactions of a turn where the target's CPU is read between turns over a network: so many that reading does not cost more
 * than it measures.
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

/** What a counter of CPU can tell. */
type Grain = {
  /** It moves by this at least; null while it has not moved. */
  stepUs: number | null;
  /** A reading costs the target itself so much. */
  readingCpuUs: number;
};

/**
 * Transactions that a turn needs for its CPU to be told from a step of the counter, or the reason why no turn is long enough,
 * in a sentence.
 * @param cpuUs of the target, for a transaction of the cheapest arm
 * @param transactionUs from one to the next, at the rate that is permitted
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
