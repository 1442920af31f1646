import { meanOf, sumOf } from '../../../method/statistics/mean.ts';

/** What a number of users came to, each as fast as it could. */
export type Trial = {
  users: number;
  /** Of each side, in the order of the plan: its bursts in theirs. */
  bursts: readonly (readonly TriedBurst[])[];
  /** Of the machine, that others took meanwhile; null where it is not known. */
  othersShare: number | null;
};

export type TriedBurst = {
  /** Transactions per second. */
  perS: number;
  /** Cores that the target used; null where its CPU is not known. */
  busyCores: number | null;
  /** Of a core, by the busiest process of the generator. */
  generatorShare: number;
};

/** Standard errors. */
const certain = 2.5;
/** Bursts of a side; of fewer nothing is certain. */
const fewestBursts = 3;
/** Busy shares of both sides may differ by this much and still be one load. */
const likeBusy = 0.1;
/** Of the CPU of a process of the generator: a server that uses less waits for something else, on a busy machine too. */
const idleBeside = 0.5;
/** Of the machine, that others take. */
const starved = 0.25;
/** A transaction that takes longer waits for something else than the CPU of its server, however little it was looked at. */
const slowS = 0.25;

/** Two looks at the same users as one. */
export function joinLooks({ users, bursts, othersShare }: Trial, other: Trial): Trial {
  return {
    users,
    othersShare,
    bursts: bursts.map((side, place) => [...side, ...(other.bursts[place] ?? [])]),
  };
}

/** Transactions per second on the slower side; all bursts of a trial last equally long. */
export function slowerPerS({ bursts }: Pick<Trial, 'bursts'>): number {
  return Math.min(...bursts.map((side) => meanOf(side.map(({ perS }) => perS))));
}

/** The same of its fastest bursts: what it manages when nothing disturbs it. */
export function undisturbedPerS({ bursts }: Pick<Trial, 'bursts'>): number {
  return Math.min(...bursts.map((side) => Math.max(...side.map(({ perS }) => perS))));
}

/** Whether others may be why everything took long. */
export function isStarved({ othersShare }: Trial): boolean {
  return othersShare === null || othersShare >= starved;
}

export function isSlow(trial: Trial): boolean {
  return trial.users / undisturbedPerS(trial) > slowS;
}

/** On the side where it has more to do. */
export function generatorShareOf({ bursts }: Trial): number {
  return Math.max(...bursts.map((side) => meanOf(side.map(({ generatorShare }) => generatorShare))));
}

/** A server that certainly uses far less CPU on some side than what loads it, which a busy machine hinders as much. */
export function isIdle({ bursts }: Trial): boolean {
  return bursts.some((side) => {
    const beside = side.flatMap(({ busyCores, generatorShare }) =>
      busyCores === null ? [] : [busyCores - idleBeside * generatorShare],
    );
    return beside.length >= fewestBursts && meanOf(beside) + certain * errorOf(beside) < 0;
  });
}

/**
 * Over the bursts of both sides together, which were measured in turn with those before: by enough, and by more than chance. On a busy
 * machine a rise may be nothing, and other users every time would be another question every time.
 */
export function rises(before: Trial, last: Trial, least: number): boolean {
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
export function leastBusy({ bursts }: Trial, cores: number | null, unknown = 0): number {
  return Math.min(...bursts.map((side) => busyShareOf(side, cores) ?? unknown));
}

/** In its busiest burst: whatever else the machine did can only have made it less. */
function busyShareOf(side: readonly TriedBurst[], cores: number | null): number | null {
  const busy = side.flatMap(({ busyCores }) => busyCores ?? []);
  return cores === null || busy.length < side.length ? null : Math.max(...busy) / cores;
}

/** Unless the sides are certainly busy to different degrees. Where nothing is known of the cores, nothing speaks against it. */
export function isLike({ bursts }: Trial, cores: number | null): boolean {
  const [first = [], ...others] = bursts;
  return others.every((other) => {
    const differences = first.flatMap(({ busyCores }, nth) => {
      const theirs = other[nth]?.busyCores ?? null;
      return cores === null || busyCores === null || theirs === null ? [] : [(theirs - busyCores) / cores];
    });
    return (
      differences.length < fewestBursts ||
      Math.abs(meanOf(differences)) - certain * errorOf(differences) <= likeBusy
    );
  });
}
