import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { cut } from '../../../shared/base/cut.ts';
import type { Placement } from '../../../shared/kinds/comparison/at-load.ts';
import { runChild } from './children.ts';
import { aliveOf, type LiveProcess, listProc, ProcessTree, readProc, readProcessStat } from './proc.ts';

/** Which cores processes run on, through Linux's `/proc` and `taskset` of util-linux. */

const timeoutMs = 5000;
/** Listings of a tree. Children of a pinned process are pinned, so even a tree that constantly starts processes needs no more. */
const mostListings = 5;

/** Cores that a process may run on, this one unless another is named, ascending; empty where the platform does not say. */
export function readAllowedCores(pid: number | 'self' = 'self'): number[] {
  const status = readProc(`/proc/${pid}/status`) ?? '';
  return parseCoreList(/^Cpus_allowed_list:\s*(\S+)$/m.exec(status)?.[1] ?? '');
}

/** Which of these cores are threads of one, a list for each core, with threads that are not asked about; empty where the platform does not say. */
export function readCoreThreads(cores: readonly number[]): number[][] {
  const lists = cores.map(
    (core) => readProc(`/sys/devices/system/cpu/cpu${core}/topology/thread_siblings_list`)?.trim() ?? '',
  );
  return [...new Set(lists)].map(parseCoreList).filter((threads) => threads.length > 0);
}

/** Parses the kernel's notation, `0-2,5`. */
export function parseCoreList(list: string): number[] {
  return list.split(',').flatMap((range) => {
    const [first = Number.NaN, last = first] = range.split('-').map((core) => Number.parseInt(core, 10));
    return Number.isNaN(first) ? [] : Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}

/**
 * Pins processes with their threads and children. What they start later is pinned as well.
 * @param roots of the process trees
 * @returns false where a process could not be pinned: no `taskset`, or no right to
 */
export async function pinToCores(roots: readonly number[], cores: readonly number[]): Promise<boolean> {
  const tree = new ProcessTree(...aliveOf(roots));
  const pinned = new Set<number>();
  for (let listing = 0; listing < mostListings; listing++) {
    const started = tree
      .list()
      .map(({ pid }) => pid)
      .filter((pid) => !pinned.has(pid));
    // A child that was started before its parent was pinned is found in the next listing.
    if (started.length === 0) break;
    const outcomes = await Promise.all(started.map((pid) => pin(pid, cores)));
    if (outcomes.includes(false)) return false;
    for (const pid of started) pinned.add(pid);
  }
  return pinned.size > 0;
}

async function pin(pid: number, cores: readonly number[]): Promise<boolean> {
  try {
    await runChild('taskset', ['--all-tasks', '--pid', '--cpu-list', cores.join(','), `${pid}`], {
      timeout: timeoutMs,
    });
    return true;
  } catch {
    // One that has ended needs no core.
    return readProcessStat(pid) === null;
  }
}

/**
 * Cores that those processes of a tree may run on that serve, ascending. nginx's `worker_cpu_affinity` and its like pin the workers and
 * leave the master anywhere, and the master serves nothing. Empty where the platform does not say.
 */
export function readServingCores(root: number): number[] {
  const serving = servingOf(new ProcessTree(...aliveOf([root])).list());
  const cores = serving.flatMap(({ pid }) => listProc(`/proc/${pid}/task`).flatMap(coresOfThread));
  return [...new Set(cores)].toSorted((a, b) => a - b);
}

/** CPU ticks that a parent may use to read its configuration and start its children, before any of them has served. */
const startTicks = 100;

/** Processes without children, and each parent that has used more CPU than its children, by more than a start takes. */
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

/**
 * Lines of what another program writes, each cut while it is read: `node:readline` keeps a line of any length in memory. Yields
 * the last one too if no line feed ends it.
 */
export async function* cutLines(from: Readable, most: number): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let line = '';
  for await (const chunk of from) {
    const [first = '', ...rest] = decoder.write(chunk).split('\n');
    line = cut(line + first, most);
    for (const next of rest) {
      yield line.endsWith('\r') ? line.slice(0, -1) : line;
      line = cut(next, most);
    }
  }
  line = cut(line + decoder.end(), most);
  if (line !== '') yield line;
}

/** Logical cores that are threads of one core, a list per core; empty if that is not known. */
type CoreThreads = readonly (readonly number[])[];

/**
 * Cores for the load generator and for a target on the same machine. Left to the scheduler, they share a core at one moment and
 * not at the next, and that moves latency several times as far as TLS does. Threads of one core slow each other, so the two have
 * no core in common where there are enough.
 *
 * @param cores that may be used, ascending
 * @param generators processes that generate
 * @returns null where there are too few to keep the two apart
 */
export function planPlacement(
  cores: readonly number[],
  generators: number,
  threads: CoreThreads = [],
): Placement | null {
  if (cores.length < 2) return null;
  const whole = wholeCoresOf(cores, threads);
  if (whole.length < 2) {
    const targets = cores.length - Math.min(generators, cores.length - 1);
    return placed(cores.slice(targets), cores.slice(0, targets), threads);
  }
  let first = whole.length - 1;
  while (first > 1 && whole.slice(first).flat().length < generators) first--;
  return placed(ascending(whole.slice(first).flat()), ascending(whole.slice(0, first).flat()), threads);
}

/**
 * The same for a target that is not ours to move: the generator keeps to cores that its owner has left free.
 *
 * @param taken cores that the target may run on
 */
export function planAround(
  taken: readonly number[],
  cores: readonly number[],
  generators: number,
  threads: CoreThreads = [],
): Placement | null {
  const free = cores.filter((core) => !taken.includes(core));
  if (taken.length === 0 || free.length === 0) return null;
  const apart = free.filter((core) => !taken.some((other) => areSiblings(core, other, threads)));
  const chosen = apart.length < Math.min(generators, free.length) ? free : apart;
  return placed(chosen.slice(-generators), taken, threads);
}

/** By their first threads. */
function wholeCoresOf(cores: readonly number[], threads: CoreThreads): number[][] {
  const keyOf = (core: number) => threads.find((of) => of.includes(core))?.[0] ?? core;
  return [...Map.groupBy(cores, keyOf).values()];
}

function placed(generator: readonly number[], target: readonly number[], threads: CoreThreads): Placement {
  const known = [...generator, ...target].every((core) => threads.some((of) => of.includes(core)));
  const siblings = generator.some((core) => target.some((other) => areSiblings(core, other, threads)));
  return { generator: [...generator], target: [...target], ...(known || siblings ? { siblings } : {}) };
}

function areSiblings(one: number, other: number, threads: CoreThreads): boolean {
  return threads.some((of) => of.includes(one) && of.includes(other));
}

function ascending(cores: readonly number[]): number[] {
  return cores.toSorted((a, b) => a - b);
}
