import type { AtLoad, RateReason } from '../../../../shared/kinds/comparison/at-load.ts';
import { meanOf, sumOf } from '../../../method/statistics/mean.ts';

/** What a number of users came to, each as fast as it could. */
export type Trial = {
  users: number;
  /** Of each side, in the order of the plan: its bursts in theirs. */
  bursts: readonly (readonly TriedBurst[])[];
};

export type TriedBurst = {
  /** Transactions per second. */
  perS: number;
  /** Cores that the target used; null where its CPU is not known. */
  busyCores: number | null;
  /** Of a core, by the busiest process of the generator. */
  generatorShare: number;
};

/** `double`: try twice the users. Else the load to measure at. */
export type LoadChoice =
  | { double: true }
  | { double: false; users: number; ratePerS: number | null; reason: RateReason | null };

/** Of its cores: a server that uses as much is the limit itself. */
const saturated = 0.9;
/** One that uses less is certainly not. */
const stillSaturated = 0.75;
const busiestGenerator = 0.8;
/**
 * Twice the users that bring less are no longer what is missing. A server that is nearly used up gains 5 to 10 % by them, which
 * bursts tell from nothing in one run and not in the next.
 */
const leastRise = 0.15;
/** Twice the users of an earlier run have to bring this much before another load is taken. */
const clearRise = 0.3;
/** Standard errors. */
const certain = 2.5;
/** Busy shares of both sides may differ by this much and still be one load. */
const likeBusy = 0.1;
/** Of the CPU of a process of the generator: a server that uses less waits for something else, on a busy machine too. */
const idleBeside = 0.5;
/** A transaction that takes longer waits for something else than the CPU of its server. */
const slowS = 0.25;
/** Of what the slower side manages: near its maximum the length of a queue is chance. */
const shareOfSlower = 0.75;
/** Rates are of these steps in each power of ten: in finer ones each run would have another. */
const rateSteps = [1, 1.5, 2.2, 3.3, 4.7, 6.8];

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
  if (before !== undefined && !rises(before, last, leastRise)) return unlessHindered(before, cores);
  if (leastBusy(last, cores) >= saturated || generatorShareOf(last) > busiestGenerator) {
    return unlessHindered(last, cores);
  }
  // A starved machine takes long for everything, which says nothing of the server; slow transactions do.
  if (outOfTime)
    return last.users / slowerPerS(last) > slowS ? atRate(last, 'server') : unlessHindered(last, cores);
  // Those who ask for thousands get them.
  if (2 * last.users > mostUsers) {
    return before === undefined ? unlessHindered(last, cores) : atRate(last, 'server');
  }
  return { double: true };
}

/** A rate that takes more or less of what the slower side manages is another load than it was. */
const likeShares = { lo: 0.4, hi: 0.9 };

/**
 * Whether the load of an earlier run is still what it was then: the server's limit on both sides, or a rate that both reach with
 * something to spare. It takes clear signs to say no: other users each time would be another question each time.
 * `null`: twice the users would tell.
 * @param trial of its users, each as fast as it could
 */
export function stillFits(
  usual: Pick<AtLoad, 'ratePerS'>,
  trial: Trial,
  cores: number | null,
): boolean | null {
  const like = isLike(trial, cores);
  if (usual.ratePerS === null) {
    if (!like || isIdle(trial)) return false;
    if (leastBusy(trial, cores, 1) >= stillSaturated) return true;
    return generatorShareOf(trial) > busiestGenerator ? false : null;
  }
  if (like && leastBusy(trial, cores) >= saturated) return false;
  return (
    usual.ratePerS <= likeShares.hi * undisturbedPerS(trial) &&
    usual.ratePerS >= likeShares.lo * slowerPerS(trial)
  );
}

/** Whether twice the users of an earlier run's load bring so much that the server cannot have been its limit. */
export function bringsMuch(usual: Trial, twice: Trial): boolean {
  return rises(usual, twice, clearRise);
}

/** Two looks at the same users as one. */
export function joinLooks({ users, bursts }: Trial, other: Trial): Trial {
  return { users, bursts: bursts.map((side, place) => [...side, ...(other.bursts[place] ?? [])]) };
}

/** Transactions per second on the slower side; all bursts of a trial last equally long. */
export function slowerPerS({ bursts }: Pick<Trial, 'bursts'>): number {
  return Math.min(...bursts.map((side) => meanOf(side.map(({ perS }) => perS))));
}

/** The same of its fastest bursts: what it manages when nothing disturbs it. */
export function undisturbedPerS({ bursts }: Pick<Trial, 'bursts'>): number {
  return Math.min(...bursts.map((side) => Math.max(...side.map(({ perS }) => perS))));
}

/** As fast as its users can, where it is the server that keeps them from being faster. */
function unlessHindered(trial: Trial, cores: number | null): LoadChoice {
  const byGenerator = generatorShareOf(trial) > busiestGenerator && leastBusy(trial, cores) < stillSaturated;
  if (byGenerator) return atRate(trial, 'generator');
  if (!isLike(trial, cores) || isIdle(trial)) return atRate(trial, 'server');
  return { double: false, users: trial.users, ratePerS: null, reason: null };
}

function atRate(trial: Trial, reason: RateReason): LoadChoice {
  const most = Math.max(1, shareOfSlower * slowerPerS(trial));
  const power = 10 ** Math.floor(Math.log10(most));
  const step = rateSteps.findLast((each) => each * power <= most) ?? 1;
  return { double: false, users: trial.users, ratePerS: Number((step * power).toPrecision(2)), reason };
}

/** On the side where it has more to do. */
function generatorShareOf({ bursts }: Trial): number {
  return Math.max(...bursts.map((side) => meanOf(side.map(({ generatorShare }) => generatorShare))));
}

/** A server that uses far less CPU on some side than what loads it, which a busy machine hinders as much. */
function isIdle({ bursts }: Trial): boolean {
  return bursts.some((side) => {
    const busy = side.flatMap(({ busyCores }) => busyCores ?? []);
    const generator = meanOf(side.map(({ generatorShare }) => generatorShare));
    return busy.length === side.length && meanOf(busy) < idleBeside * generator;
  });
}

/**
 * Over the bursts of both sides together, which were measured in turn with those before: by enough, and by more than chance. On a busy
 * machine a rise may be nothing, and other users every time would be another question every time.
 */
function rises(before: Trial, last: Trial, least: number): boolean {
  const logs = last.bursts
    .flatMap((side, place) =>
      side.map(({ perS }, nth) => Math.log(perS / (before.bursts[place]?.[nth]?.perS ?? perS))),
    )
    .filter(Number.isFinite);
  return logs.length > 1 && meanOf(logs) >= Math.max(Math.log(1 + least), certain * errorOf(logs));
}

/** Standard error of the mean. */
function errorOf(values: readonly number[]): number {
  const mean = meanOf(values);
  const squares = sumOf(values.map((value) => (value - mean) ** 2));
  return Math.sqrt(squares / (values.length - 1) / values.length);
}

/** Of the side that uses less of its cores. @param unknown what counts where its CPU is not known */
function leastBusy({ bursts }: Trial, cores: number | null, unknown = 0): number {
  return Math.min(...bursts.map((side) => busyShareOf(side, cores) ?? unknown));
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
