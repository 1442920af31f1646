import { problem } from '../../../shared/base/problem.ts';
import { printNumber } from '../../../shared/base/quantity.ts';
import type { Plan } from '../../../shared/kinds/comparison/load-profile.ts';
import type { RunRequest } from '../../../shared/kinds/comparison/run-request.ts';
import type { ServerName } from '../../../shared/target/server-options.ts';
import { transactionsOfTurn } from '../../base/addresses/burst-length.ts';
import { sumOf } from '../../method/statistics/mean.ts';

/** How long a plan takes: what the lengths promise and the progress bar counts down. */

/** Times of the target measured so far. A plan promises the duration for a target that answers immediately. */
export type Pace = {
  /** Duration of a transaction, or slightly less; 0 until one has ended. */
  transactionMs: number;
  /** An epoch so far; null until one has ended. */
  epochS: number | null;
  /** Starting the processes of a launch and warming them up, so far; null until that has ended. */
  startS: number | null;
};
const promised: Pace = { transactionMs: 0, epochS: null, startS: null };

/** Start of the generator and preflight. */
const preflightS = 1;
/** Merging, estimating and storing. */
export const analysisS = 0.5;
/** Per launch: starting its processes, and ending them. */
export const startS = 1;
/** Usual share of the plan's limit until a server is warm. */
const usualShareOfWarmUp = 0.6;
/** Readings at the edges of a block. */
const edgesMs = 100;

/**
 * Servers that compile their code at run time: the requests that each process needs until CPU per request is within 5 % of its end
 * (`npm run bench -- warm-up`), and the longest time for that, on busy cores.
 */
const compiling: Partial<Record<ServerName | 'storefront', { requests: number; longestMs: number }>> = {
  storefront: { requests: 4500, longestMs: 7000 },
  node: { requests: 16_000, longestMs: 8000 },
  jdk: { requests: 120_000, longestMs: 22_000 },
};

/** The longest of these among the servers of both sides; null if none compiles its code at run time. */
export function compilingOf({
  target,
  sides,
}: Pick<RunRequest, 'target' | 'sides'>): { requests: number; longestMs: number } | null {
  const servers: (ServerName | 'storefront' | undefined)[] = [
    target.kind === 'storefront' ? 'storefront' : undefined,
    target.kind === 'managed' ? target.server : undefined,
    ...[sides.baseline, sides.comparison].map((side) => side.target?.server),
  ];
  const needs = servers.flatMap((server) => (server === undefined ? [] : (compiling[server] ?? [])));
  return needs.toSorted((one, other) => other.longestMs - one.longestMs)[0] ?? null;
}

export function epochS(plan: Plan, { transactionMs, epochS: known }: Pace = promised): number {
  if (known !== null) return known;
  const { arms, lockstepMs, maximumMs, openMs } = plan;
  // Whatever the time of a block, it holds one transaction of each arm, and no arm begins before the one ahead has ended its last one.
  const eachMs = arms.length * transactionMs;
  const turnMs = Math.min(maximumMs / arms.length, transactionsOfTurn * transactionMs);
  const atLoadMs = Math.max(maximumMs, arms.length * turnMs + eachMs);
  const open = openMs === null ? 0 : arms.length * openMs + eachMs + edgesMs;
  return (Math.max(lockstepMs, eachMs) + atLoadMs + 2 * edgesMs + open) / 1000;
}

/** Starting the processes of a launch, and warming them up. */
export function beforeEpochsS(plan: Plan, { transactionMs, startS: known } = promised): number {
  return known ?? startS + warmUpS(plan, transactionMs);
}

export function warmUpS({ arms, warmUp }: Plan, transactionMs: number): number {
  return Math.max(usualShareOfWarmUp * warmUp.longestMs, arms.length * transactionMs) / 1000;
}

export function launchS(plan: Plan, pace?: Pace): number {
  const { launches, epochs } = plan;
  // A single launch goes on only until its headline is known well enough.
  const usual = launches.maximum === 1 ? epochs.minimum : epochs.maximum;
  return beforeEpochsS(plan, pace) + usual * epochS(plan, pace);
}

export function runS(plan: Plan, launches: number): number {
  return preflightS + launches * launchS(plan) + analysisS;
}

/** With the fewest launches and epochs. */
export function shortestS(plan: Plan): number {
  const { launches, epochs } = plan;
  return preflightS + launches.minimum * (beforeEpochsS(plan) + epochs.minimum * epochS(plan)) + analysisS;
}

/** Pauses that fit into a turn one after the other, so that those cut off at its end weigh little. */
const thinkTimesInTurn = 5;

const longestTurnMs = 600;

/**
 * Factor on the think times of a scenario: the requested one; otherwise 1 if the think times fit into turns, else 0. Think times are
 * not work of either side, but seconds of them turn a run into hours.
 * @param asked null to leave it to the plan
 */
export function thinkTimeScaleOf(asked: number | null, thinkTimesMs: readonly number[]): number {
  return asked ?? (thinkTimesInTurn * sumOf(thinkTimesMs) <= longestTurnMs ? 1 : 0);
}

/** Note on a run whose plan omitted think times; empty for any other. */
export function thinkTimesLeftOut(
  asked: number | null,
  planned: number,
  thinkTimesMs: readonly number[],
): string[] {
  const ms = sumOf(thinkTimesMs);
  if (asked !== null || planned !== 0 || ms === 0) return [];
  return [
    `The scenario’s think times (${(ms / 1000).toFixed(1)} s per transaction) were skipped, because they do not fit into the turns. Set the think time factor to 1 to include them.`,
  ];
}

/**
 * Transactions per second offered to all arms in open load: half of what the slowest one managed, so that
 * neither queues, in two significant digits.
 */
export function steadyRate(capacities: readonly number[]): number {
  const half = Math.min(...capacities) / 2;
  return Math.max(1, Number(half.toPrecision(2)));
}

/** A rate near the maximum makes queues, whose length is chance. */
const highestUtilisation = 0.9;

/** The rate that was asked for, where all arms can bear it; else the steady one. Throws rate_too_high. */
/** @param capacities of the sides */
export function rateFor(asked: number | null, capacities: readonly number[]): number {
  if (asked === null) return steadyRate(capacities);
  const slower = Math.min(...capacities);
  if (asked <= highestUtilisation * slower) return asked;
  throw problem(
    'rate_too_high',
    `A rate of ${printNumber(asked, 0)} transactions per second is above 90 % of the ${printNumber(slower, 0)} that the slower side can handle.`,
  );
}
