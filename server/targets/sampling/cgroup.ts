import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { problem } from '../../../shared/base/problem.ts';
import type { Throttling } from '../../../shared/kinds/comparison/run.ts';
import {
  aliveOf,
  Births,
  type LiveProcess,
  nullWhenHidden,
  ProcessTree,
  readProc,
  readProcessStat,
} from '../../base/process/proc.ts';

/** Mount points of Linux's control groups: version 2 alone, beside version 1, and as systemd's own hierarchy of version 1. */
const hierarchies = ['/sys/fs/cgroup', '/sys/fs/cgroup/unified', '/sys/fs/cgroup/systemd'];
/** Slices, templates, users: units lie a few levels down. */
const deepest = 6;

/** Processes in a control group and in those below it. Source: the kernel's cgroup-v2, `cgroup.procs`. */
export function cgroupPids(path: string): number[] {
  const own = readProc(join(path, 'cgroup.procs'))?.split('\n').filter(Boolean).map(Number) ?? [];
  return [...own, ...subdirectories(path).flatMap((name) => cgroupPids(join(path, name)))];
}

/** Whether it is one, with or without processes. */
export function isCgroup(path: string): boolean {
  return readProc(join(path, 'cgroup.procs')) !== null;
}

/**
 * Directory of the control group that contains these processes, their children, and nothing else; null without one, as for processes in the
 * group of everything.
 */
export function groupOfOnly(pids: readonly number[], roots: readonly string[] = cpuRoots.v2): string | null {
  const groups = new Set(pids.map((pid) => /^0::(\/.+)$/m.exec(readProc(`/proc/${pid}/cgroup`) ?? '')?.[1]));
  const [group] = groups;
  if (groups.size !== 1 || group === undefined) return null;
  const path = roots.map((root) => join(root, group)).find(isCgroup);
  const known = new Set(pids);
  const isOurs = (pid: number) => known.has(pid) || known.has(readProcessStat(pid)?.parentPid ?? pid);
  return path !== undefined && cgroupPids(path).every(isOurs) ? path : null;
}

/** CPU of a control group, µs, including processes that have ended. Source: the kernel's cgroup-v2, `cpu.stat`. */
export function readGroupUs(path: string): number | null {
  const us = /^usage_usec (\d+)$/m.exec(readProc(join(path, 'cpu.stat')) ?? '')?.[1];
  return us === undefined ? null : Number(us);
}

/** The control group that systemd made for a unit such as `nginx.service`; null when the unit does not run. */
export function findUnitCgroup(unit: string, roots: readonly string[] = hierarchies): string | null {
  for (const root of roots) {
    const found = findBelow(root, unit, deepest);
    if (found !== null) return found;
  }
  return null;
}

/**
 * The longest period of a CPU quota on any of these processes, ms; null without one. A group also limits the groups below it.
 * Source: the kernel's cgroup-v2, `cpu.max`: quota and period in µs, or `max`.
 */
export function quotaPeriodOf(pids: readonly number[]): number | null {
  const periods = pids.flatMap((pid) => {
    const path = /^0::(\/.*)$/m.exec(readProc(`/proc/${pid}/cgroup`) ?? '')?.[1];
    return path === undefined ? [] : pathsUpFrom(path).flatMap(periodOf);
  });
  return periods.length === 0 ? null : Math.max(...periods);
}

function pathsUpFrom(path: string): string[] {
  const parts = path.split('/').filter(Boolean);
  return parts.map((_, index) => parts.slice(0, parts.length - index).join('/'));
}

function periodOf(path: string): number[] {
  const [quota, periodUs] = (readProc(join(hierarchies[0] as string, path, 'cpu.max')) ?? 'max')
    .trim()
    .split(' ');
  return quota === 'max' || periodUs === undefined ? [] : [Number(periodUs) / 1000];
}

/**
 * Periods of the CPU quotas on these processes so far, and those in which one was used up, over all of their control groups up to the root.
 * Null where no group has a quota. Source: the kernel's cgroup-v2 and sched-bwc, `cpu.stat`.
 */
export function throttlingOf(pids: readonly number[], roots: CpuRoots = cpuRoots): Throttling | null {
  const groups = new Set(
    pids.flatMap((pid) => groupsOf(readProc(join(roots.proc, `${pid}/cgroup`)) ?? '', roots)),
  );
  const sums = { periods: 0, throttled: 0 };
  for (const group of groups) {
    const stat = readProc(join(group, 'cpu.stat')) ?? '';
    const field = (name: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(stat)?.[1] ?? 0);
    sums.periods += field('nr_periods');
    sums.throttled += field('nr_throttled');
  }
  return sums.periods === 0 ? null : sums;
}

type CpuRoots = { proc: string; v2: readonly string[]; v1: string };
const cpuRoots: CpuRoots = { proc: '/proc', v2: hierarchies.slice(0, 2), v1: '/sys/fs/cgroup/cpu' };

/** Directories of a process's group and of those above it. Of version 1, the hierarchy of the CPU controller counts. */
function groupsOf(cgroup: string, { v2, v1 }: CpuRoots): string[] {
  const unified = /^0::(\/.*)$/m.exec(cgroup)?.[1];
  const ofCpu = [...cgroup.matchAll(/^\d+:([\w,]+):(\/.*)$/gm)].find(([, controllers = '']) =>
    controllers.split(',').includes('cpu'),
  )?.[2];
  const upFrom = (path: string) => [...pathsUpFrom(path), ''];
  return [
    ...(unified === undefined ? [] : v2.flatMap((root) => upFrom(unified).map((path) => join(root, path)))),
    ...(ofCpu === undefined ? [] : upFrom(ofCpu).map((path) => join(v1, path))),
  ];
}

function findBelow(directory: string, unit: string, depth: number): string | null {
  const names = subdirectories(directory);
  if (names.includes(unit) && isCgroup(join(directory, unit))) return join(directory, unit);
  if (depth === 0) return null;
  for (const name of names) {
    const found = findBelow(join(directory, name), unit, depth - 1);
    if (found !== null) return found;
  }
  return null;
}

function subdirectories(path: string): string[] {
  try {
    return readdirSync(path, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? [entry.name] : [],
    );
  } catch (error) {
    return nullWhenHidden(error) ?? [];
  }
}

/** The processes whose resources are read, whatever holds them together. */
export type WatchedProcesses = {
  /** Processes of the last listing; some may have ended since. */
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
