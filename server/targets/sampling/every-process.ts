import { type Sleep, SleepWatch } from '../../base/process/await-asleep.ts';
import { Births } from '../../base/process/births.ts';
import { cpuClock } from '../../base/process/cpu-clock.ts';
import { listPids, readProc } from '../../base/process/proc-files.ts';
import { readProcessStat } from '../../base/process/process-stat.ts';
import { aliveOf, ProcessTree } from '../../base/process/process-tree.ts';
import { TreeCpu } from '../../base/process/tree-cpu.ts';

/** CPU besides the target's, read at every switch between two arms. */
export type OtherClocks = {
  /**
   * What it is to the cost of a request: watched only, added to the target's own readings, or all of it, with the target's processes among
   * what is read.
   */
  counts: 'not' | 'beside' | 'instead';
  /** Waits until what is read sleeps; bounded as for the target. */
  awaitAsleep(): Promise<Sleep>;
  /** CPU so far, µs, by what used it; only differences mean anything. */
  readUs(): ReadonlyMap<number, number>;
};

/** Parent of the kernel's own threads. Source: kthreadd of the kernel. */
const kernelPid = 2;

/**
 * The clock of every process of this machine except the target's, the kernel's, and TLS Toll's, by pid. A process that is born meanwhile
 * counts for its parent, so one that forks for each request is seen. Null without a CPU clock, because ticks are longer than a turn.
 */
export function watchEveryProcess(targetRoots: readonly number[]): OtherClocks | null {
  const { readNs } = cpuClock();
  if (readNs === null) return null;
  const left = new Set([
    ...new ProcessTree(...aliveOf(targetRoots)).list().map(({ pid }) => pid),
    ...ownPids(),
  ]);
  const births = new Births();
  /** The process that a process counts for, and its clock at the last look. */
  const known = new Map<number, { owner: number; lastNs: number }>();
  const spentUs = new Map<number, number>();
  const adopt = (pid: number, isBorn: boolean) => {
    if (known.has(pid) || left.has(pid)) return;
    const ns = readNs(pid);
    // One of another process's threads has no clock of a process.
    const parent = ns === null ? null : (readProcessStat(pid)?.parentPid ?? null);
    if (ns === null || parent === null) return;
    if (pid === kernelPid || parent === kernelPid || left.has(parent)) left.add(pid);
    else known.set(pid, { owner: isBorn ? (known.get(parent)?.owner ?? pid) : pid, lastNs: isBorn ? 0 : ns });
  };
  const listAll = () => {
    for (const pid of listPids()) adopt(pid, false);
  };
  births.since();
  listAll();
  return {
    counts: 'not',
    // Which of them to wait for is not known yet.
    awaitAsleep: async () => ({ waitedUs: 0, asleep: true }),
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
  };
}

/** Everything that TLS Toll has started, also what has detached itself: that is in a session of its own, which one of ours began. */
function ownPids(): number[] {
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
): OtherClocks {
  const trees = roots.map((pids) => new TreeCpu(pids));
  const sleep = new SleepWatch(() => trees.flatMap(({ pids }) => pids));
  return {
    counts,
    awaitAsleep: () => sleep.await(),
    readUs: () => new Map(trees.map((tree, place) => [place, tree.readUs()])),
  };
}
