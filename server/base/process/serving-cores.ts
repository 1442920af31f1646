import { readAllowedCores } from './pin-to-cores.ts';
import { listProc } from './proc-files.ts';
import { aliveOf, type LiveProcess, ProcessTree } from './process-tree.ts';

/**
 * Cores that those processes of a tree may run on that serve, ascending. nginx's `worker_cpu_affinity` and its like pin the workers and
 * leave the master anywhere, and the master serves nothing. Empty where the platform does not say.
 */
export function readServingCores(root: number): number[] {
  const serving = servingOf(new ProcessTree(...aliveOf([root])).list());
  const cores = serving.flatMap(({ pid }) => listProc(`/proc/${pid}/task`).flatMap(coresOfThread));
  return [...new Set(cores)].toSorted((a, b) => a - b);
}

/** What a parent may use to read its configuration and start its children, before any of them has served. */
const startTicks = 100;

/** Those without children, and a parent that has used more CPU than its children, by more than a start takes. */
export function servingOf(members: readonly LiveProcess[]): LiveProcess[] {
  const children = Map.groupBy(members, ({ stat }) => stat.parentPid);
  return members.filter(({ pid, stat }) => {
    const own = children.get(pid) ?? [];
    const used = own.reduce((ticks, child) => ticks + child.stat.ownTicks, startTicks);
    return own.length === 0 || stat.ownTicks > used;
  });
}

function coresOfThread(thread: string): number[] {
  return readAllowedCores(Number(thread));
}
