import type { AtLoad, RateReason } from '../../../../shared/kinds/comparison/at-load.ts';
import { meanOf, sumOf } from '../../../method/statistics/mean.ts';

/** What a number of users came to, each as fast as it could. */
export type Trial = {
  users: number;
  /** Of each side, in the order of the plan: its bursts in theirs. */
  bursts: readonly (readonly TriedBurst[])[];
  /** Of a core, by the busiest process of the generator. */
  generatorShare: number;
};

export type TriedBurst = {
  /** Transactions per second. */
  perS: number;
  /** Cores that the target used; null where its CPU is not known. */
  busyCores: number | null;
};

/** `double`: try twice the users. Else the load to measure at. */
export type LoadChoice =
  | { double: true }
  | { double: false; users: number; ratePerS: number | null; reason: RateReason | null };

/** Of its cores: a server that uses as much is the limit itself. */
const saturated = 0.9;
const busiestGenerator = 0.8;
/** Twice the users that bring less are no longer what is missing. */
const leastRise = 0.05;
/** Standard errors. */
const certain = 2.5;
/** Busy shares of both sides may differ by this much and still be one load. */
const likeBusy = 0.1;
/** A transaction that takes longer waits for something else than the CPU of its server. */
const slowS = 0.25;
/** Of what the slower side manages: near its maximum the length of a queue is chance. */
const shareOfSlower = 0.75;

/**
 * The load at which both sides are compared: as fast as they can where the server is the limit on both and about as busy, else
 * one arrival rate that both reach.
 * @param trials with doubling numbers of users, oldest first; those before the last one measured again beside it
 * @param cores that the target may run on; null where that is not known
 * @param mostUsers that there may be
 * @param outOfTime there is none for another trial
 */
export function chooseLoad(
  trials: readonly [Trial, ...Trial[]],
  cores: number | null,
  mostUsers: number,
  outOfTime = false,
): LoadChoice {
  const last = trials.at(-1) ?? trials[0];
  const before = trials.at(-2);
  const full = (of: Trial): LoadChoice =>
    isLike(of, cores)
      ? { double: false, users: of.users, ratePerS: null, reason: null }
      : atRate(of, 'server');
  if (last.bursts.every((side) => (busyShareOf(side, cores) ?? 0) >= saturated)) return full(last);
  if (before !== undefined && !rises(before, last)) return full(before);
  if (last.generatorShare > busiestGenerator) return atRate(last, 'generator');
  // A starved machine takes long for everything, which says nothing of the server; slow transactions do.
  if (outOfTime) return last.users / slowerPerS(last) > slowS ? atRate(last, 'server') : full(last);
  // Those who ask for thousands get them.
  if (2 * last.users > mostUsers) return before === undefined ? full(last) : atRate(last, 'server');
  return { double: true };
}

/** A server that uses less of its cores than this is not used up by what once used it up. */
const stillSaturated = 0.75;
/** A rate that takes more or less of what the slower side manages is another load than it was. */
const likeShares = { lo: 0.5, hi: 0.9 };

/**
 * Whether the load of an earlier run is still what it was then: the server's limit on both sides, or a rate that both reach with
 * something to spare.
 * @param trial of its users, each as fast as it could
 */
export function stillFits(usual: Pick<AtLoad, 'ratePerS'>, trial: Trial, cores: number | null): boolean {
  if (usual.ratePerS === null) {
    return (
      isLike(trial, cores) && trial.bursts.every((side) => (busyShareOf(side, cores) ?? 1) >= stillSaturated)
    );
  }
  const share = usual.ratePerS / slowerPerS(trial);
  return share >= likeShares.lo && share <= likeShares.hi;
}

/** Transactions per second on the slower side; all bursts of a trial last equally long. */
export function slowerPerS({ bursts }: Pick<Trial, 'bursts'>): number {
  return Math.min(...bursts.map((side) => meanOf(side.map(({ perS }) => perS))));
}

/** The same of its fastest bursts: what it manages when nothing disturbs it. */
export function undisturbedPerS({ bursts }: Pick<Trial, 'bursts'>): number {
  return Math.min(...bursts.map((side) => Math.max(...side.map(({ perS }) => perS))));
}

function atRate(trial: Trial, reason: RateReason): LoadChoice {
  const { users } = trial;
  const rate = shareOfSlower * slowerPerS(trial);
  return { double: false, users, ratePerS: Math.max(1, Number(rate.toPrecision(2))), reason };
}

/**
 * Over the bursts of both sides together, which were measured in turn with those before: by enough, and by more than chance. On a busy
 * machine a rise of a few percent may be nothing, and other users every time would be another question every time.
 */
function rises(before: Trial, last: Trial): boolean {
  const logs = last.bursts
    .flatMap((side, place) =>
      side.map(({ perS }, nth) => Math.log(perS / (before.bursts[place]?.[nth]?.perS ?? perS))),
    )
    .filter(Number.isFinite);
  return logs.length > 1 && meanOf(logs) >= Math.max(Math.log(1 + leastRise), certain * errorOf(logs));
}

/** Standard error of the mean. */
function errorOf(values: readonly number[]): number {
  const mean = meanOf(values);
  const squares = sumOf(values.map((value) => (value - mean) ** 2));
  return Math.sqrt(squares / (values.length - 1) / values.length);
}

/** In its busiest burst: whatever else the machine did can only have made it less. */
function busyShareOf(side: readonly TriedBurst[], cores: number | null): number | null {
  const busy = side.flatMap(({ busyCores }) => busyCores ?? []);
  return cores === null || busy.length < side.length ? null : Math.max(...busy) / cores;
}

/** Unless the sides are certainly busy to different degrees. Where nothing is known of the cores, nothing speaks against it. */
function isLike({ bursts }: Trial, cores: number | null): boolean {
  const [first = [], ...others] = bursts;
  return others.every((other) => {
    const differences = first.flatMap(({ busyCores }, nth) => {
      const theirs = other[nth]?.busyCores ?? null;
      return cores === null || busyCores === null || theirs === null ? [] : [(theirs - busyCores) / cores];
    });
    return (
      differences.length < 2 || Math.abs(meanOf(differences)) - certain * errorOf(differences) <= likeBusy
    );
  });
}
