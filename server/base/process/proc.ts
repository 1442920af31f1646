import { openSync, readdirSync, readFileSync, readlinkSync, readSync, rmSync } from 'node:fs';

/** Reading `/proc`, where every file can vanish between two calls and some may not be read by us. */

/** Text of a file of `/proc`; null when its process has ended, or when it is not ours to read. */
export function readProc(path: string): string | null {
  try {
    return readFileSync(path, 'latin1');
  } catch (error) {
    return nullWhenHidden(error);
  }
}

/** Names in a directory of `/proc`; empty under the same conditions. */
export function listProc(path: string): string[] {
  try {
    return readdirSync(path);
  } catch (error) {
    return nullWhenHidden(error) ?? [];
  }
}

/** Target of a link in `/proc`; null under the same conditions. */
export function readProcLink(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch (error) {
    return nullWhenHidden(error);
  }
}

/** Path of the program that a process runs, which calls itself by whatever name it likes. */
export function programOf(pid: number): string | null {
  return readProcLink(`/proc/${pid}/exe`)?.replace(/ \(deleted\)$/, '') ?? null;
}

/** Ids of the processes of this machine that can be seen. */
export function listPids(): number[] {
  return listProc('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
}

const hidden = new Set(['ENOENT', 'ESRCH', 'EACCES', 'EPERM', 'ENOTDIR', 'EINVAL']);

export function nullWhenHidden(error: unknown): null {
  if (error instanceof Error && 'code' in error && hidden.has(String(error.code))) return null;
  throw error;
}

/** From `/proc/loadavg`, of the whole machine. Source: proc_loadavg(5). */
type KernelLoad = {
  /** Threads that run or wait for a core, the reading one included. */
  runnable: number;
  /** The process or thread that was started last. */
  lastPid: number;
};

const buffer = Buffer.alloc(128);
let file: number | null = null;

/** Null where the kernel does not say, or says what cannot be. 3 µs: the file stays open. */
export function readKernelLoad(): KernelLoad | null {
  try {
    file ??= openSync('/proc/loadavg', 'r');
    return parseKernelLoad(buffer.toString('latin1', 0, readSync(file, buffer, 0, buffer.length, 0)));
  } catch (error) {
    return nullWhenHidden(error);
  }
}

export function parseKernelLoad(text: string): KernelLoad | null {
  const [, , , threads = '', lastPid = ''] = text.trim().split(' ');
  const load = { runnable: Number.parseInt(threads, 10), lastPid: Number.parseInt(lastPid, 10) };
  // The reading process itself runs and has been started.
  return load.runnable >= 1 && load.lastPid >= 1 ? load : null;
}

/** With more, reading all lists of children is cheaper. */
const mostBirths = 64;

/**
 * Which processes and threads were started on this machine, by the numbers that the kernel gives out one after another. Where
 * none was, no tree has a new member, and nobody needs to list it again.
 */
export class Births {
  #lastPid: number | null = null;
  #young: number[] = [];
  #unsure = true;

  /** Since the call before; null where there may be too many, or the kernel does not say. */
  since(): number[] | null {
    const lastPid = readKernelLoad()?.lastPid ?? null;
    const from = this.#lastPid;
    const young = this.#young;
    const wasUnsure = this.#unsure;
    this.#lastPid = lastPid;
    this.#young = [];
    // A number that is smaller has begun anew.
    this.#unsure = lastPid === null || from === null || lastPid < from || lastPid - from > mostBirths;
    if (lastPid === null || from === null || this.#unsure) return null;
    this.#young = Array.from({ length: lastPid - from }, (_, index) => from + 1 + index);
    // A number is given out a moment before its process can be seen, so that each is looked at twice.
    return wasUnsure ? null : [...young, ...this.#young];
  }
}

/** One line of `/proc/PID/stat`: who the process is, and its CPU time in the kernel's ticks. */
type ProcessStat = {
  parentPid: number;
  /** State of the leading thread: `R` while it runs or waits for a core. */
  state: string;
  threads: number;
  /** Its ended threads included. */
  ownTicks: number;
  /** Ticks of ended children that it has waited for, and of theirs. */
  childTicks: number;
  /** Ticks after boot. With the pid it names a process for good; the pid alone is used again. */
  startTicks: number;
};

/** The kernel shows ticks of 10 ms (USER_HZ) to programs, whatever its own rate. Source: proc_pid_stat(5). */
export const tickUs = 10_000;

/** Null when the process has ended, as a zombie too. */
export function readProcessStat(pid: number): ProcessStat | null {
  const text = readProc(`/proc/${pid}/stat`);
  return text === null ? null : parseProcessStat(text);
}

export function parseProcessStat(text: string): ProcessStat | null {
  // The command name, in parentheses, may hold spaces and parentheses itself.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state = ''] = fields;
  if (state === 'Z' || state === 'X') return null;
  const field = (numberInManual: number) => Number(fields[numberInManual - 3]);
  return {
    parentPid: field(4),
    state,
    threads: field(20),
    ownTicks: field(14) + field(15),
    childTicks: field(16) + field(17),
    startTicks: field(22),
  };
}

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

  /** Adds the process as another root. */
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

/**
 * A runtime that compiles while it runs can write the names of what it compiled into a file that perf reads
 * (https://github.com/torvalds/linux/blob/master/tools/perf/Documentation/jit-interface.txt). It leaves the file there when it ends.
 */

/** Make V8 write it, and keep the log that comes with it in a file without a name. */
export const namesCompiledFlags = ['--perf-basic-prof', '--no-logfile-per-isolate', '--logfile=+'];

export function removePerfMaps(pids: readonly number[]): void {
  for (const pid of pids) rmSync(`/tmp/perf-${pid}.map`, { force: true });
}
