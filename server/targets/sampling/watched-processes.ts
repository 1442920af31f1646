import { problem } from '../../../shared/base/problem.ts';
import { Births } from '../../base/process/births.ts';
import { readProcessStat } from '../../base/process/process-stat.ts';
import { aliveOf, type LiveProcess, ProcessTree } from '../../base/process/process-tree.ts';
import { cgroupPids } from './cgroup.ts';

/** The processes whose resources are read, whatever holds them together. */
export type WatchedProcesses = {
  /** Of the last listing; some may have ended since. */
  readonly members: LiveProcess[];
  /** Lists them anew. Throws target_died once they have ended. */
  list(): LiveProcess[];
  /** The same where a process or thread was started on this machine since; else those of the last listing. Throws nothing. */
  refresh(): LiveProcess[];
};

/** Processes and all their descendants. Throws invalid_request when one of the processes does not exist. */
export function watchTrees(rootPids: readonly number[]): WatchedProcesses {
  const roots = rootPids.map((pid) => ({ pid, stat: readProcessStat(pid) ?? refuse(pid) }));
  const tree = new ProcessTree(...roots);
  const births = new Births();
  return {
    get members() {
      return tree.members;
    },
    list() {
      const members = tree.list();
      // One of several on a port may end: after a reload, the old one does.
      if (!rootPids.some((pid) => members.some((member) => member.pid === pid)))
        throw problem(
          'target_died',
          rootPids.length === 1
            ? `The target’s process ${rootPids[0]} has ended.`
            : `The target’s processes ${rootPids.join(' and ')} have ended.`,
        );
      return members;
    },
    refresh: () => (isEmpty(births.since()) ? tree.members : tree.list()),
  };
}

/** Every process of a control group and of those below it; they may come and go. */
export function watchCgroup(path: string): WatchedProcesses {
  const births = new Births();
  let members: LiveProcess[] = [];
  const listAll = () => {
    members = aliveOf(cgroupPids(path));
    return members;
  };
  return {
    get members() {
      return members;
    },
    list() {
      if (listAll().length === 0) throw problem('target_died', `No process is left in ${path}.`);
      return members;
    },
    refresh: () => (isEmpty(births.since()) ? members : listAll()),
  };
}

function isEmpty(born: readonly number[] | null): boolean {
  return born?.length === 0;
}

function refuse(pid: number): never {
  throw problem('invalid_request', {
    detail: `There is no process ${pid}.`,
    errors: [{ field: 'target.pid', message: `there is no process ${pid}` }],
  });
}
