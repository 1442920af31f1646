import { listPids, listProc, readProc } from './proc-files.ts';
import { type ProcessStat, readProcessStat } from './process-stat.ts';

/** A process that is alive: its pid together with its start time. */
export type LiveProcess = { pid: number; stat: ProcessStat };

/**
 * The process tree below a root, or several of them, listed anew each time. A member stays one when its parent ends and it is
 * handed to another; a pid that was given to a new process is not mistaken for the old one.
 */
export class ProcessTree {
  #members: ReadonlyMap<number, LiveProcess> = new Map();

  constructor(...roots: readonly LiveProcess[]) {
    this.#members = new Map(roots.map((root) => [root.pid, root]));
  }

  /** Members of the last listing; some may have ended since. */
  get members(): LiveProcess[] {
    return [...this.#members.values()];
  }

  list(): LiveProcess[] {
    const members = new Map<number, LiveProcess>();
    for (const known of this.#members.values()) {
      const stat = readProcessStat(known.pid);
      if (stat?.startTicks === known.stat.startTicks) addWithChildren({ pid: known.pid, stat }, members);
    }
    this.#members = members;
    return this.members;
  }
}

function addWithChildren(process: LiveProcess, members: Map<number, LiveProcess>): void {
  if (members.has(process.pid)) return;
  members.set(process.pid, process);
  for (const pid of childrenOf(process.pid)) {
    const stat = readProcessStat(pid);
    // A child that ended may have left its pid to a stranger, whose parent is another.
    if (stat?.parentPid === process.pid) addWithChildren({ pid, stat }, members);
  }
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
