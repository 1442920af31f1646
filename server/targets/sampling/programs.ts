import { availableParallelism } from 'node:os';
import { basename } from 'node:path';
import type { LoudProgram, Program, Tie } from '../../../shared/kinds/comparison/program.ts';
import { cpuClock } from '../../base/process/cpu.ts';
import { inodesHeldBy } from '../../base/process/listeners.ts';
import {
  aliveOf,
  type LiveProcess,
  listPids,
  programOf,
  readProc,
  readProcessStat,
  tickUs,
  withDescendants,
} from '../../base/process/proc.ts';
import { sumOf } from '../../method/statistics/mean.ts';
import { cgroupPids, groupOfOnly } from './cgroup.ts';
import { type OtherClocks, ownPids, watchEveryProcess, watchPrograms } from './every-process.ts';

/** Names the programs that work for a target, and what ties them to it. Reads `/proc` once, for a few processes. */

/** Finds and reads the programs on the target's machine. */
export type ProgramSource = {
  /** Every process but the target's and TLS Toll's; null where that cannot be read. */
  watchEvery(targetRoots: readonly number[]): Promise<OtherClocks | null>;
  /** Processes among `pids` that something ties to the target. */
  tied(targetRoots: readonly number[], pids: readonly number[]): Promise<readonly number[]>;
  /** Like `groupPrograms`. */
  group(workers: readonly number[], targets: readonly (readonly number[])[]): Promise<Program[]>;
  watch(programs: readonly Program[], counts: 'beside' | 'instead'): Promise<OtherClocks>;
  /** Like `endedProgram`. */
  ended(programs: readonly Program[]): Promise<Program | null>;
  /** Stops watching. */
  leave(): Promise<void>;
};

export const programsHere: ProgramSource = {
  watchEvery: async (targetRoots) => watchEveryProcess(targetRoots),
  async tied(targetRoots, pids) {
    const ties = tiesTo(targetRoots, pids);
    return pids.filter((pid) => ties.has(pid));
  },
  group: async (workers, targets) => groupPrograms(workers, targets),
  watch: async (programs, counts) =>
    watchPrograms(
      programs.map(({ pids }) => pids),
      counts,
    ),
  ended: async (programs) => endedProgram(programs),
  leave: async () => {},
};

/**
 * Each with the roots of its process trees: a worker belongs to the topmost process above it that runs the same file.
 * @param workers processes whose CPU grows with the target's requests
 * @param targets roots of the target's process trees; several where each is a program of its own
 */
export function groupPrograms(
  workers: readonly number[],
  targets: readonly (readonly number[])[],
): Program[] {
  // A process that started the target or us is above them all; its tree would count them twice.
  const above = new Set([...targets.flat(), process.pid].flatMap(ancestorsOf));
  const roots = [...new Set(workers.map((pid) => rootOf(pid, above)))];
  const byName = Map.groupBy(roots, programName);
  const chain = targets.flat().flatMap(withDescendants);
  const ties = tiesTo(chain, roots);
  const names = targets.map(programNames);
  return [
    ...targets.map((pids, place): Program => {
      const name = names[place] ?? '';
      const isOnly = names.indexOf(name) === names.lastIndexOf(name);
      return {
        name: isOnly ? name : `${name} (process ${pids[0]})`,
        ...{ pids: [...pids], startTicks: pids.map(startOf), role: 'target', tie: null },
      };
    }),
    ...[...byName].map(
      ([name, pids]): Program => ({
        ...{ name, pids, startTicks: pids.map(startOf), role: 'companion' },
        tie: ties.get(pids[0] ?? 0) ?? null,
      }),
    ),
  ];
}

/** The first program besides the target of which a process has ended, so that what works now is another one; null while all run. */
export function endedProgram(programs: readonly Program[]): Program | null {
  const targets = programs.filter(({ role }) => role === 'target').length;
  const read = targets > 1 ? programs : programs.slice(1);
  return read[placeOfEnded(read)] ?? null;
}

/** -1 while all run. */
export function placeOfEnded(programs: readonly Pick<Program, 'pids' | 'startTicks'>[]): number {
  const hasEnded = (pid: number, startedAt: number | undefined) => {
    const now = startOf(pid);
    return now === 0 || now !== (startedAt ?? now);
  };
  return programs.findIndex(({ pids, startTicks }) =>
    pids.some((pid, place) => hasEnded(pid, startTicks?.[place])),
  );
}

/** 0 once it has ended. */
function startOf(pid: number): number {
  return readProcessStat(pid)?.startTicks ?? 0;
}

/** CPU by name of what else ran on this machine, over all starts of a run. */
export type ElsewhereUse = { us: Map<string, number>; ms: number };

/** Programs that belong to nothing that is read. */
export type Strangers = {
  /**
   * CPU since the previous look of each that began after the watch; the sums of all are added up. A program that began and ended in
   * between is missed.
   * @param roots roots of the process trees that are read
   */
  look(roots: readonly number[]): { name: string; usedUs: number }[];
};

/** Lists and reads every process, which is cheap enough for once every few seconds. */
export function watchStrangers(sums: ElsewhereUse): Strangers {
  const usedUs = ({ pid, stat }: LiveProcess) =>
    (cpuClock().readNs?.(pid) ?? stat.ownTicks * tickUs * 1000) / 1000;
  const readAll = () =>
    new Map(aliveOf(listPids()).map((each) => [each.pid, { us: usedUs(each), ...each.stat }]));
  const first = readAll();
  let [last, atMs] = [first, performance.now()];
  return {
    look(roots) {
      const read = roots.flatMap(withDescendants);
      const left = new Set([...ownPids(), ...read]);
      const group = groupOfOnly(read);
      for (const pid of group === null ? [] : cgroupPids(group)) left.add(pid);
      const begun = new Map<string, number>();
      const now = readAll();
      const ended = Map.groupBy(
        [...last].filter(([pid]) => !now.has(pid)),
        ([, { parentPid }]) => parentPid,
      );
      for (const [pid, { us, startTicks, parentPid, childTicks }] of now) {
        if (left.has(pid) || left.has(parentPid)) continue;
        const before = last.get(pid);
        // A PID that another process reuses starts from zero.
        const known = before?.startTicks === startTicks ? before : { us: 0, childTicks: 0 };
        const gainUs = Math.max(0, us - known.us);
        // A build is known by the program that waits for its compilers. Their CPU until the previous look was theirs.
        const ofEndedUs =
          (childTicks - known.childTicks) * tickUs - sumOf((ended.get(pid) ?? []).map(([, each]) => each.us));
        if (gainUs + Math.max(0, ofEndedUs) === 0) continue;
        const name = programName(pid);
        sums.us.set(name, (sums.us.get(name) ?? 0) + gainUs + Math.max(0, ofEndedUs));
        if (first.get(pid)?.startTicks !== startTicks) begun.set(name, (begun.get(name) ?? 0) + gainUs);
      }
      sums.ms += performance.now() - atMs;
      [last, atMs] = [now, performance.now()];
      return [...begun].map(([name, usedUs]) => ({ name, usedUs }));
    },
  };
}

const mostNamed = 3;
/** Below this, a share is not worth a word. */
const leastShare = 0.005;

/** The programs that used most of this machine, with their shares of it. */
export function loudestOf({ us, ms }: ElsewhereUse): LoudProgram[] {
  const machineUs = ms * 1000 * availableParallelism();
  return [...us]
    .map(([name, usedUs]) => ({ name, share: Number((usedUs / machineUs).toFixed(3)) }))
    .filter(({ share }) => share >= leastShare)
    .toSorted((a, b) => b.share - a.share)
    .slice(0, mostNamed);
}

/** Whether targets run different programs. */
export function runApart(targets: readonly (readonly number[])[]): boolean {
  return new Set(targets.map(programNames)).size > 1;
}

function programNames(pids: readonly number[]): string {
  return [...new Set(pids.map(programName))].join(' and ');
}

const initPid = 1;

function rootOf(pid: number, above: ReadonlySet<number>): number {
  const [parent = initPid] = ancestorsOf(pid);
  if (parent === process.pid || above.has(parent)) return pid;
  return parent !== initPid && fileOf(parent) === fileOf(pid) ? rootOf(parent, above) : pid;
}

/** Ancestors of a process, the nearest first, without the first process of the machine. */
function ancestorsOf(pid: number): number[] {
  const parent = readProcessStat(pid)?.parentPid ?? initPid;
  return parent <= initPid ? [] : [parent, ...ancestorsOf(parent)];
}

/** The file that a process runs, or where that may not be read what it calls itself. */
function fileOf(pid: number): string {
  return programOf(pid) ?? readProc(`/proc/${pid}/comm`)?.trim() ?? `process ${pid}`;
}

/** The file of the program, or its own name for itself if the file may not be read. */
export function programName(pid: number): string {
  return basename(fileOf(pid));
}

/**
 * The ties of processes to a chain of others, directly or by one of themselves: a database is tied to a proxy by the application in
 * between. Ties are labels and decide nothing: a process that may not be read has none.
 * @param chain processes of the target
 * @param roots of process trees
 */
export function tiesTo(chain: readonly number[], roots: readonly number[]): Map<number, Tie> {
  const found = new Map<number, Tie>();
  const trees = new Map(roots.map((root) => [root, describeSockets(withDescendants(root))]));
  const tied = [describeSockets(chain)];
  // The same control group is the weakest tie: it counts after all others.
  for (let [grows, isLast] = [true, false]; grows || !isLast; ) {
    isLast = !grows;
    grows = false;
    for (const [root, tree] of trees) {
      if (found.has(root)) continue;
      const ties = tied.flatMap((other) => tieBetween(other, tree) ?? []);
      const tie = ties.find((each) => isLast || each !== 'cgroup');
      if (tie === undefined) continue;
      found.set(root, tie);
      tied.push(tree);
      grows = true;
    }
  }
  return found;
}

/** Whether processes have an open connection to one of some ports. */
export function connectTo(pids: readonly number[], ports: readonly number[]): boolean {
  const { connections } = describeSockets(pids.flatMap(withDescendants));
  return [...connections].some((each) => ports.includes(Number.parseInt(each.split(':').at(-1) ?? '', 16)));
}

type Described = {
  /** Connections as `local remote`, and the same the other way round. */
  connections: Set<string>;
  reversed: Set<string>;
  ports: Set<string>;
  listensOnPath: boolean;
  cgroups: Set<string>;
};

function tieBetween(one: Described, other: Described): Tie | null {
  if (!one.connections.isDisjointFrom(other.reversed)) return 'connection';
  if (!one.ports.isDisjointFrom(other.ports)) return 'port';
  if (other.listensOnPath) return 'unix-socket';
  return one.cgroups.isDisjointFrom(other.cgroups) ? null : 'cgroup';
}

const [established, listening] = ['01', '0A'];
/** Flag of a Unix socket that accepts connections. Source: `__SO_ACCEPTCON` of the kernel's net.h. */
const accepting = '00010000';

/** In the processes' own network namespace, which may be a container's. */
function describeSockets(pids: readonly number[]): Described {
  const held = new Set(pids.flatMap((pid) => [...inodesHeldBy(pid)]));
  const [first = 0] = pids;
  const rows = ['tcp', 'tcp6'].flatMap((name) => ownRows(`/proc/${first}/net/${name}`, held, 9));
  const connected = rows.filter(([, , , state]) => state === established);
  return {
    connections: new Set(
      connected.map(([, local = '', remote = '']) => `${tailOf(local)} ${tailOf(remote)}`),
    ),
    reversed: new Set(connected.map(([, local = '', remote = '']) => `${tailOf(remote)} ${tailOf(local)}`)),
    ports: new Set(
      rows.flatMap(([, local = '', , state]) => (state === listening ? (local.split(':')[1] ?? []) : [])),
    ),
    listensOnPath: ownRows(`/proc/${first}/net/unix`, held, 6).some(
      ([, , , flags, , , , path]) => flags === accepting && path?.startsWith('/') === true,
    ),
    cgroups: new Set(
      pids
        .flatMap((pid) => readProc(`/proc/${pid}/cgroup`)?.split('\n') ?? [])
        .filter((line) => /:\/./.test(line)),
    ),
  };
}

/** Rows of a table of sockets that some processes hold. @param column of the inode */
function ownRows(path: string, held: ReadonlySet<string>, column: number): string[][] {
  const rows = (readProc(path) ?? '').split('\n').map((line) => line.trim().split(/\s+/));
  return rows.filter((row) => held.has(row[column] ?? ''));
}

/** IPv4 in an IPv6 socket is the same address: its last eight digits. */
function tailOf(address: string): string {
  const [ip = '', port] = address.split(':');
  return `${ip.slice(-8)}:${port}`;
}
