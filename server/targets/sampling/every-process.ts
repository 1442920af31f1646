import type { Program } from '../../../shared/kinds/comparison/program.ts';
import { CpuLedger, cpuClock, type Sleep, SleepWatch } from '../../base/process/cpu.ts';
import {
  aliveOf,
  Births,
  listPids,
  ProcessTree,
  readProc,
  readProcessStat,
  tickUs,
} from '../../base/process/proc.ts';
import { groupOfOnly, readGroupUs } from './cgroup.ts';
import { isAnyUnwaited } from './process-sampler.ts';

/** CPU besides the target's, read at every switch between two arms. */
export type OtherClocks = {
  /**
   * How the readings count toward the cost of a request: watched only, added to the target's own readings, or in place of them, with the
   * target's processes among those that are read.
   */
  counts: 'not' | 'beside' | 'instead';
  /** Step of the readings, µs, if they are the kernel's ticks; otherwise null. */
  stepUs: number | null;
  /** Waits until what is read sleeps; bounded as for the target. */
  awaitAsleep(): Promise<Sleep>;
  /** CPU so far, µs, by what used it; only differences mean anything. */
  readUs(): ReadonlyMap<number, number>;
  /** The same for the kernel's threads that work for other processes: the second half of interrupts, and deferred work. */
  readKernelUs(): number;
  /** How each program's children that live for one request are read, by its place; null without such children. */
  readChildren(): (Program['children'] | null)[];
};

/** Clocks of this machine. */
export type ClocksHere = OtherClocks & {
  /** Waits as `awaitAsleep` does, and keeps this thread waiting. */
  blockUntilAsleep(): void;
};

type ReadNs = (pid: number) => number | null;

/** Reads CPU in steps of 10 ms; takes 31 µs per process. */
const readTicksNs: ReadNs = (pid) => {
  const ticks = readProcessStat(pid)?.ownTicks;
  return ticks === undefined ? null : ticks * tickUs * 1000;
};

/** Parent of the kernel's own threads. Source: kthreadd of the kernel. */
const kernelPid = 2;
const worksForOthers = /^(ksoftirqd|kworker)/;

/** Last reading of a process or of a thread of the kernel. */
type Known = { owner: number; startTicks: number; lastNs: number };

/**
 * The clock of every process of this machine except the target's, the kernel's, and TLS Toll's, by pid. A process that is born meanwhile
 * counts for its parent, so one that forks for each request is seen. Null where no process can be listed.
 * @param clock null for the kernel's ticks
 */
export function watchEveryProcess(
  targetRoots: readonly number[],
  clock: ReadNs | null = cpuClock().readNs,
): ClocksHere | null {
  const readNs = clock ?? readTicksNs;
  const left = new Set([
    ...new ProcessTree(...aliveOf(targetRoots)).list().map(({ pid }) => pid),
    ...ownPids(),
  ]);
  const births = new Births();
  const known = new Map<number, Known>();
  const kernel = new KernelThreads();
  const spentUs = new Map<number, number>();
  const adopt = (pid: number, isBorn: boolean) => {
    if (left.has(pid) || (known.has(pid) && !isBorn)) return;
    const ns = readNs(pid);
    // One of another process's threads has no clock of a process.
    const stat = ns === null ? null : readProcessStat(pid);
    if (ns === null || stat === null || known.get(pid)?.startTicks === stat.startTicks) return;
    const { parentPid, startTicks } = stat;
    if (kernel.adopt(pid, parentPid) || left.has(parentPid)) left.add(pid);
    else {
      const owner = isBorn ? (known.get(parentPid)?.owner ?? pid) : pid;
      known.set(pid, { owner, startTicks, lastNs: isBorn ? 0 : ns });
    }
  };
  const listAll = () => {
    for (const pid of listPids()) adopt(pid, false);
  };
  births.since();
  listAll();
  if (known.size === 0 && left.size === 0) return null;
  return {
    counts: 'not',
    stepUs: clock === null ? tickUs : null,
    // Which of them to wait for is not known yet.
    awaitAsleep: async () => ({ waitedUs: 0, asleep: true }),
    blockUntilAsleep: () => {},
    readUs() {
      const born = births.since();
      if (born === null) listAll();
      else for (const pid of born) adopt(pid, true);
      for (const [pid, use] of known) {
        const ns = readNs(pid);
        // A clock that went back is that of a stranger with the same number.
        if (ns === null || ns < use.lastNs) {
          known.delete(pid);
          continue;
        }
        spentUs.set(use.owner, (spentUs.get(use.owner) ?? 0) + (ns - use.lastNs) / 1000);
        use.lastNs = ns;
      }
      return new Map(spentUs);
    },
    readKernelUs: () => kernel.readUs(),
    readChildren: () => [],
  };
}

/** CPU of the kernel's threads that work for other processes. Without a clock, they are not read. */
class KernelThreads {
  readonly #lastNs = new Map<number, number>();
  #spentUs = 0;

  /** @returns whether it is a thread of the kernel, of whatever kind */
  adopt(pid: number, parentPid: number): boolean {
    if (parentPid !== kernelPid) return pid === kernelPid;
    const ns = cpuClock().readNs?.(pid) ?? null;
    if (ns !== null && worksForOthers.test(readProc(`/proc/${pid}/comm`) ?? '')) this.#lastNs.set(pid, ns);
    return true;
  }

  readUs(): number {
    for (const [pid, lastNs] of this.#lastNs) {
      const ns = cpuClock().readNs?.(pid) ?? null;
      if (ns === null || ns < lastNs) this.#lastNs.delete(pid);
      else {
        this.#spentUs += (ns - lastNs) / 1000;
        this.#lastNs.set(pid, ns);
      }
    }
    return this.#spentUs;
  }
}

/** Everything that TLS Toll has started, also what has detached itself: that is in a session of its own, which one of ours began. */
export function ownPids(): number[] {
  const tree = new ProcessTree(...aliveOf([process.pid])).list().map(({ pid }) => pid);
  const outer = sessionOf(process.pid);
  const sessions = new Set(tree.map(sessionOf).filter((session) => session !== outer && session !== null));
  return [...tree, ...listPids().filter((pid) => sessions.has(sessionOf(pid)))];
}

/** Source: proc_pid_stat(5), its sixth field. */
function sessionOf(pid: number): number | null {
  const text = readProc(`/proc/${pid}/stat`);
  return text === null ? null : Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[3]);
}

/** Programs that work for a request, each with its whole process tree, by their place in the list. */
export function watchPrograms(
  roots: readonly (readonly number[])[],
  counts: 'beside' | 'instead',
): ClocksHere {
  const programs = roots.map((pids) => new ProgramCpu(pids));
  const sleep = new SleepWatch(() => programs.flatMap(({ pids }) => pids));
  const kernel = new KernelThreads();
  const births = new Births();
  const seen = new Set(listPids());
  for (const pid of seen) kernel.adopt(pid, readProcessStat(pid)?.parentPid ?? 0);
  const adopt = (pid: number) => {
    seen.add(pid);
    const parentPid = readProcessStat(pid)?.parentPid;
    if (parentPid === undefined || kernel.adopt(pid, parentPid)) return;
    const group = groupOf(pid);
    if (group !== null) programs.find((program) => program.group?.endsWith(group))?.adopt(pid);
  };
  births.since();
  return {
    counts,
    stepUs: cpuClock().readNs === null ? tickUs : null,
    awaitAsleep: () => sleep.await(),
    blockUntilAsleep: () => void sleep.block(),
    readUs() {
      for (const pid of births.since() ?? listPids().filter((each) => !seen.has(each))) adopt(pid);
      return new Map(programs.map((program, place) => [place, program.readUs()]));
    },
    readKernelUs: () => kernel.readUs(),
    readChildren: () => programs.map((program) => program.readChildren()),
  };
}

/** Readings between two searches for short-lived children, because listing a tree anew takes 31 µs per process. */
const listEvery = 8;

/**
 * CPU of a program: the clocks of its processes. Children that live for one request have ended before they are read: they are counted by
 * the program's control group if it contains nothing else, or by the ticks of the process that waited for them.
 */
class ProgramCpu {
  readonly #ledger = new CpuLedger();
  readonly #tree: ProcessTree;
  /** Directory of the program's own control group. */
  readonly group: string | null;
  readonly #childrenFromUs: number;
  #readings = 0;
  #children: 'cgroup' | 'ticks' | null = null;
  /** Program's CPU less its group's when reading the group began; null while the group is not read. */
  #apartUs: number | null = null;
  #lastUs = 0;

  constructor(roots: readonly number[]) {
    this.#tree = new ProcessTree(...aliveOf(roots));
    this.#ledger.observe(this.#tree.list());
    this.#childrenFromUs = this.#ledger.childrenUs;
    this.group = groupOfOnly(this.pids);
  }

  get pids(): number[] {
    return this.#tree.members.map(({ pid }) => pid);
  }

  /** Adds a process of the control group that no process of the program started. */
  adopt(pid: number): void {
    for (const process of aliveOf([pid])) this.#tree.add(process);
  }

  readUs(): number {
    const isListed = this.#children !== null || this.#readings++ % listEvery === 0;
    this.#ledger.observe(isListed ? this.#tree.list() : this.#tree.refresh());
    const { ownUs, childrenUs } = this.#ledger;
    const us = ownUs + childrenUs;
    const isFirst = this.#children === null && childrenUs > this.#childrenFromUs;
    const groupUs =
      this.group === null || !(isFirst || this.#apartUs !== null) ? null : readGroupUs(this.group);
    if (isFirst) {
      this.#children = groupUs === null ? 'ticks' : 'cgroup';
      this.#apartUs = groupUs === null ? null : us - groupUs;
    }
    const nowUs = this.#apartUs === null || groupUs === null ? us : groupUs + this.#apartUs;
    this.#lastUs = Math.max(this.#lastUs, nowUs);
    return this.#lastUs;
  }

  readChildren(): Program['children'] | null {
    if (this.#children === 'cgroup') return 'cgroup';
    return isAnyUnwaited(this.#ledger, this.#tree.list()) ? 'lost' : this.#children;
  }
}

/** Control group of version 2; null for the root group. */
function groupOf(pid: number): string | null {
  return /^0::(\/.+)$/m.exec(readProc(`/proc/${pid}/cgroup`) ?? '')?.[1] ?? null;
}
