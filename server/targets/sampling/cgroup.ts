import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { nullWhenHidden, readProc } from '../../base/process/proc-files.ts';

/** Where Linux shows control groups: version 2 alone, beside version 1, and as systemd's own hierarchy of version 1. */
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
