import { byArm } from '../../../shared/base/arms.ts';
import type { CpuCheck, Throttling } from '../../../shared/kinds/comparison/run.ts';
import type { RemoteReadings } from '../../../shared/target/readings.ts';
import type { Sleep } from '../../base/process/cpu.ts';
import type { HostReading, ProcessSampler, ResourceReading } from './process-sampler.ts';
import type { ProgramSource } from './programs.ts';

/** Source of the CPU, memory and disk readings of a launch, for all arms together. Processes of this machine are read immediately. */
export type Readings<Name extends string> = {
  /** Arms have a process tree in common, so that CPU is only theirs while no other arm is at work. */
  shared: boolean;
  /** Roots of each arm's process tree, which the generator can read at every turn; null where they are elsewhere or not known. */
  roots: Record<Name, number[]> | null;
  /**
   * Looks for processes that come and go, until the first `readAll` but not for longer than `watchMs`. Whoever reads elsewhere does
   * so by itself.
   */
  watch(): void;
  /** Everything, with nothing in flight; null for an arm that cannot be read. Throws target_died once a target has ended. */
  readAll(): Promise<Record<Name, ResourceReading | null>>;
  /** CPU so far, µs, with nothing in flight; null where that of an arm cannot be read. */
  readCpu(): Promise<Record<Name, number> | null>;
  /** Over everything between the first `readAll` and the last; empty where only one count is known. */
  cpuChecks(): CpuCheckOf<Name>[];
  /** Steps of the CPU readings, µs, if coarser than the scheduler's; else null. */
  stepUs(): number | null;
  /** CPU and memory of an arm at work, read cheaply; null if it cannot be read. */
  readCurve(arm: Name): Promise<{ cpuUs: number; rssBytes: number } | null>;
  /**
   * Waits until an arm's processes sleep, at most 20 ms of their work, or 100 ms where they get no core. Where they are read
   * elsewhere, whoever reads them waits there.
   */
  awaitAsleep(arm: Name): Promise<Sleep>;
  /** CPU of all arms together; a tree that arms share counts once. */
  sum(cpuUs: Record<Name, number>): number;
  /** Null where the readings are this machine's. */
  remote: RemoteSource | null;
  close(): void;
};

/** Properties of readings that come from elsewhere. */
export type RemoteSource = {
  /** CPU of the trees that arms share, read between two turns, µs; null once that was refused. */
  readonly readTurnUs: (() => Promise<number>) | null;
  /** How long that takes, and how often it may be asked for, µs. */
  readingUs: number;
  readEveryUs: number;
  /** Resolution of its counter, learned from the readings so far; null if that is the scheduler's own. */
  grain(): { stepUs: number | null; readingCpuUs: number } | null;
  /** From now on nothing is read; the sentence says why. */
  refuse(sentence: string): void;
  /** The host of the target as it was read last; null while it is this machine, which the conductor reads itself. */
  lastHost(): (HostReading & { cores: number; agentUs: number }) | null;
  /** Description of the readings so far, for the result. */
  describe(): Omit<RemoteReadings, 'everyMs' | 'turnTransactions'>;
  /** Programs on the target's machine; null where they are not looked for. */
  programs: ProgramSource | null;
};

/** From the beginning of a launch, while it is warmed up. */
export const watchMs = 3000;

/** @param roots of each arm's process trees; null where they are not known */
export function localReadings<Name extends string>(
  arms: readonly Name[],
  samplers: Record<Name, ProcessSampler | null>,
  roots: Record<Name, readonly number[] | null>,
): Readings<Name> {
  const known = arms.every((arm) => samplers[arm] !== null);
  const trees = byArm(arms, (arm) => roots[arm]?.join());
  const treeOf = (arm: Name) => trees[arm];
  const counts = new CpuCounts(arms, (arm) => treeOf(arm) ?? arm);
  const watches: (() => void)[] = [];
  const endWatches = () => {
    for (const end of watches.splice(0)) end();
  };
  // Arms that share a tree have one reading.
  const readOnce = () => {
    const read = new Map<string, number>();
    return byArm(arms, (arm) => {
      const tree = treeOf(arm) ?? arm;
      const cpuUs = read.get(tree) ?? samplers[arm]?.readCpuUs() ?? 0;
      read.set(tree, cpuUs);
      return cpuUs;
    });
  };
  return {
    shared: known && new Set(arms.map(treeOf)).size < arms.length,
    roots: known ? byArm(arms, (arm) => [...(roots[arm] ?? [])]) : null,
    watch() {
      watches.push(...arms.flatMap((arm) => samplers[arm]?.watch(watchMs) ?? []));
    },
    readAll: async () => {
      endWatches();
      for (const arm of arms) await samplers[arm]?.awaitAsleep();
      return counts.note(byArm(arms, (arm) => samplers[arm]?.read() ?? null));
    },
    cpuChecks: () => counts.checks(),
    stepUs: () => arms.reduce<number | null>((step, arm) => samplers[arm]?.stepUs() ?? step, null),
    readCpu: async () => (known ? readOnce() : null),
    readCurve: async (arm) => {
      const sampler = samplers[arm];
      return sampler === null ? null : { cpuUs: sampler.readCpuUs(), rssBytes: sampler.readMemory() };
    },
    awaitAsleep: (arm) => samplers[arm]?.awaitAsleep() ?? sleepsElsewhere(),
    sum(cpuUs) {
      const counted = arms.filter(
        (arm, index) => arms.findIndex((other) => treeOf(other) === treeOf(arm)) === index,
      );
      return counted.reduce((sum, arm) => sum + cpuUs[arm], 0);
    },
    remote: null,
    close: endWatches,
  };
}

/** Used where this host cannot tell whether processes sleep, or need not. */
async function sleepsElsewhere(): Promise<Sleep> {
  return { waitedUs: 0, asleep: true };
}

/** Common part of readings that are taken elsewhere, of all arms' processes together. */
export const takenElsewhere = {
  ...{ shared: true, roots: null, watch: () => {} },
  awaitAsleep: sleepsElsewhere,
};

/** CPU of each arm between two readings, µs; null where either is. */
export function gainOf<Name extends string>(
  before: Record<Name, number> | null,
  after: Record<Name, number> | null,
): Record<Name, number> | null {
  if (before === null || after === null) return null;
  return byArm(Object.keys(after) as Name[], (arm) => Math.max(0, after[arm] - before[arm]));
}

/** The check in the form that a run stores. */
type CpuCheckOf<Name extends string> = Omit<CpuCheck, 'arms'> & { arms: Name[] };

type Edge<Name extends string> = Record<Name, ResourceReading | null>;

/** Two counts of the same CPU over a launch, from the first reading with nothing in flight to the last. */
export class CpuCounts<Name extends string> {
  readonly #arms: readonly Name[];
  readonly #treeOf: (arm: Name) => unknown;
  #first: Edge<Name> | null = null;
  #last: Edge<Name> | null = null;

  /** @param treeOf the same for arms that share a process tree */
  constructor(arms: readonly Name[], treeOf: (arm: Name) => unknown) {
    this.#arms = arms;
    this.#treeOf = treeOf;
  }

  note(edge: Edge<Name>): Edge<Name> {
    this.#first ??= edge;
    this.#last = edge;
    return edge;
  }

  /** Check of each tree that was read by two counts. */
  checks(): CpuCheckOf<Name>[] {
    const trees = Map.groupBy(this.#arms, (arm) => this.#treeOf(arm));
    return [...trees.values()].flatMap((sharing) => {
      const [arm] = sharing;
      const [from, to] = arm === undefined ? [] : [this.#first?.[arm], this.#last?.[arm]];
      return from == null || to == null ? [] : (checkBetween(sharing, from, to) ?? []);
    });
  }
}

function checkBetween<Name extends string>(
  sharing: Name[],
  from: ResourceReading,
  to: ResourceReading,
): CpuCheckOf<Name> | null {
  if (from.cpuTickUs === null || to.cpuTickUs === null) return null;
  const throttling = throttlingBetween(from, to);
  const childrenUs = (to.cpuChildrenUs ?? 0) - (from.cpuChildrenUs ?? 0);
  return {
    arms: sharing,
    clockUs: Math.round(to.cpuUs - from.cpuUs - childrenUs),
    childrenUs: Math.round(childrenUs),
    tickUs: Math.round(to.cpuTickUs - from.cpuTickUs),
    processes: Math.max(from.processes, to.processes),
    ...(to.unwaited === undefined ? {} : { unwaited: to.unwaited }),
    ...(to.noClock === undefined ? {} : { noClock: to.noClock }),
    ...(throttling === null ? {} : { throttling }),
  };
}

/** A group that went with its processes takes its counts along. */
function throttlingBetween(from: ResourceReading, to: ResourceReading): Throttling | null {
  const periods = (to.throttling?.periods ?? 0) - (from.throttling?.periods ?? 0);
  const throttled = (to.throttling?.throttled ?? 0) - (from.throttling?.throttled ?? 0);
  return periods > 0 && throttled > 0 ? { periods, throttled } : null;
}
