import { Births } from './births.ts';
import { listPids, listProc, readProc } from './proc-files.ts';
import { type ProcessStat, readProcessStat } from './process-stat.ts';

/** A process that is alive: its pid together with its start time. */
export type LiveProcess = { pid: number; stat: ProcessStat };

/**
 * The process tree below a root, or several of them. A member stays one when its parent ends and it is handed to another; a
 * pid that was given to a new process is not mistaken for the old one. This process is a member only as a root: what is measured
 * may have started what measures it.
 */
export class ProcessTree {
  readonly #births = new Births();
  #members: Map<number, LiveProcess>;

  constructor(...roots: readonly LiveProcess[]) {
    this.#members = new Map(roots.map((root) => [root.pid, root]));
  }

  /** Some may have ended since. */
  get members(): LiveProcess[] {
    return [...this.#members.values()];
  }

  /** From now on it is a root as well. */
  add(root: LiveProcess): void {
    if (leadsThreads(root.pid)) addWithChildren(root, this.#members);
  }

  /** Reads all of them anew. */
  list(): LiveProcess[] {
    this.#births.since();
    return this.#listAll();
  }

  /**
   * Adds the members that were started since. Where nothing was started on the machine that takes 3 µs; else whatever is new
   * is looked at. Those that have ended stay until `list`, and the others keep the figures that they had.
   */
  refresh(): LiveProcess[] {
    const born = this.#births.since();
    if (born === null) return this.#listAll();
    for (const pid of born) this.#adopt(pid);
    return this.members;
  }

  #listAll(): LiveProcess[] {
    const members = new Map<number, LiveProcess>();
    for (const known of this.#members.values()) {
      const stat = readProcessStat(known.pid);
      if (stat?.startTicks === known.stat.startTicks) addWithChildren({ pid: known.pid, stat }, members);
    }
    this.#members = members;
    return this.members;
  }

  #adopt(pid: number): void {
    const stat = readProcessStat(pid);
    if (stat === null || pid === process.pid || !this.#members.has(stat.parentPid)) return;
    if (this.#members.get(pid)?.stat.startTicks === stat.startTicks || !leadsThreads(pid)) return;
    addWithChildren({ pid, stat }, this.#members);
  }
}

export function aliveOf(pids: readonly number[]): LiveProcess[] {
  return pids.flatMap((pid) => {
    const stat = readProcessStat(pid);
    return stat === null ? [] : [{ pid, stat }];
  });
}

/** A process with all that it has started; empty once it has ended. */
export function withDescendants(pid: number): number[] {
  return new ProcessTree(...aliveOf([pid])).list().map((member) => member.pid);
}

function addWithChildren(member: LiveProcess, members: Map<number, LiveProcess>): void {
  if (members.get(member.pid)?.stat.startTicks === member.stat.startTicks) return;
  members.set(member.pid, member);
  for (const pid of childrenOf(member.pid)) {
    if (pid === process.pid) continue;
    const stat = readProcessStat(pid);
    // A child that ended may have left its pid to a stranger, whose parent is another.
    if (stat?.parentPid === member.pid) addWithChildren({ pid, stat }, members);
  }
}

/** Whether the number is a process's, and not one of its other threads'. */
function leadsThreads(pid: number): boolean {
  return /^Tgid:\s*(\d+)$/m.exec(readProc(`/proc/${pid}/status`) ?? '')?.[1] === `${pid}`;
}

function childrenOf(pid: number): number[] {
  const lists = listProc(`/proc/${pid}/task`).map((thread) =>
    readProc(`/proc/${pid}/task/${thread}/children`),
  );
  // Kernels built without CONFIG_PROC_CHILDREN have no such files.
  if (lists.every((list) => list === null)) return childrenByScan(pid);
  return lists.flatMap((list) => list?.split(' ').filter(Boolean).map(Number) ?? []);
}

function childrenByScan(parentPid: number): number[] {
  return listPids().filter((pid) => readProcessStat(pid)?.parentPid === parentPid);
}
