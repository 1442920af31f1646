import { createRequire } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';
import {
  aliveOf,
  type LiveProcess,
  listProc,
  ProcessTree,
  readKernelLoad,
  readProc,
  readProcessStat,
  tickUs,
} from './proc.ts';

/**
 * The kernel's CPU clock of a process: ns, over all its threads, those that have ended included. A thread that runs brings it up
 * to date with every tick of the kernel, and when it leaves its core, so that it is exact while all of them sleep. No
 * right is needed to read it. Source: clock_getcpuclockid(3); the number of the clock is `CPUCLOCK_SCHED` of the
 * kernel's posix-timers.h. Node has no call for it, so the C library is asked.
 */

/** Reads the CPU clock of a process; null once it has ended. */
type ReadClock = (pid: number) => number | null;

type CpuClock = { readNs: ReadClock; why: null } | { readNs: null; why: string };

let known: CpuClock | null = null;

/** The clock, or why there is none here, as the end of a sentence. */
export function cpuClock(): CpuClock {
  known ??= openClock();
  return known;
}

/** A C library of 64 bits writes the time as two numbers of 64 bits. */
const architectures = ['x64', 'arm64', 'riscv64', 'loong64', 'ppc64', 's390x'];
/** Between our count of ourselves and the clock's. */
const toleranceUs = 20_000;

function openClock(): CpuClock {
  if (process.platform !== 'linux' || !architectures.includes(process.arch)) {
    return {
      readNs: null,
      why: `${process.platform} ${process.arch} has no CPU clock that TLS Toll can read`,
    };
  }
  try {
    const readNs = readerOf(createRequire(import.meta.url)('koffi'));
    return agreesWithUs(readNs) ? { readNs, why: null } : { readNs: null, why: 'its CPU clock is wrong' };
  } catch {
    return { readNs: null, why: noSystemCalls };
  }
}

/** Without koffi, which is native code for each platform. */
export const noSystemCalls =
  'the part of TLS Toll that calls the system could not be loaded, so install it again on this machine';

function readerOf(koffi: typeof import('koffi').default): ReadClock {
  const read = koffi.load(null).func('int clock_gettime(int clock, void *time)');
  const time = new BigInt64Array(2);
  return (pid) => {
    if (read(clockOf(pid), time) !== 0) return null;
    const [seconds = 0n, ns = 0n] = time;
    return Number(seconds) * 1e9 + Number(ns);
  };
}

function clockOf(pid: number): number {
  return (~pid << 3) | 2;
}

function agreesWithUs(readNs: ReadClock): boolean {
  const own = () => {
    const { user, system } = process.cpuUsage();
    return user + system;
  };
  const beforeUs = own();
  const us = (readNs(process.pid) ?? Number.NaN) / 1000;
  return us >= beforeUs - toleranceUs && us <= own() + toleranceUs;
}

/** @property asleep false where they still used a core when the time was up */
export type Sleep = { waitedUs: number; asleep: boolean };

/** CPU that processes may use after their last answer before they are read all the same. */
const longestMs = 20;
/** On a busy machine they wait for a core first: not longer than this altogether. */
const starvedMs = 100;
const lookEveryMs = 0.1;
/**
 * In a row. A thread says that it sleeps a moment before it leaves its core, and its clock is brought up to date when it leaves:
 * read in between, it would lack all since the last tick.
 */
const looksNeeded = 2;
/** After this many waits in vain it is hardly waited for until it sleeps once: a server may have a thread that never does. */
const mostInVain = 3;
const shortMs = 2;

/**
 * Waits until processes sleep. They tidy up after their last answer, and until that is done their work would count for what
 * comes next. A process sleeps when none of its threads runs or waits for a core.
 */
export class SleepWatch {
  readonly #pids: () => readonly number[];
  #inVain = 0;

  constructor(pids: () => readonly number[]) {
    this.#pids = pids;
  }

  /** Keeps this thread waiting meanwhile, so that it learns of it at once. */
  block(): Sleep {
    const looks = this.#look();
    for (;;) {
      const { done, value } = looks.next();
      if (done) return value;
      // For a machine that has no other core to finish on.
      Atomics.wait(neverWoken, 0, 0, lookEveryMs);
    }
  }

  /** Lets this thread do other things meanwhile, and looks about once a millisecond. */
  async await(): Promise<Sleep> {
    const looks = this.#look();
    for (;;) {
      const { done, value } = looks.next();
      if (done) return value;
      await pause(1);
    }
  }

  *#look(): Generator<void, Sleep> {
    const boundMs = this.#inVain < mostInVain ? longestMs : shortMs;
    const fromMs = performance.now();
    let fromNs: number | null = null;
    let looksAsleep = 0;
    for (;;) {
      const pids = this.#pids();
      const waitedMs = performance.now() - fromMs;
      const isAlone = nothingElseRuns();
      looksAsleep = !isAlone && pids.some(runs) ? 0 : looksAsleep + 1;
      if (isAlone || looksAsleep === looksNeeded) {
        this.#inVain = 0;
        return { waitedUs: waitedMs * 1000, asleep: true };
      }
      const nowNs = spentBy(pids) ?? waitedMs * 1e6;
      fromNs ??= nowNs;
      // Without a core, their clock does not advance.
      const isBusy = nowNs - fromNs > boundMs * 1e6;
      if (isBusy || waitedMs > starvedMs) {
        if (isBusy) this.#inVain++;
        return { waitedUs: waitedMs * 1000, asleep: false };
      }
      yield;
    }
  }
}

const neverWoken = new Int32Array(new SharedArrayBuffer(4));

function spentBy(pids: readonly number[]): number | null {
  const { readNs } = cpuClock();
  return readNs === null ? null : pids.reduce((sum, pid) => sum + (readNs(pid) ?? 0), 0);
}

/** Whether the thread that asks is the only one of the machine that runs. Then there is no need to look at each of the processes. */
function nothingElseRuns(): boolean {
  return readKernelLoad()?.runnable === 1;
}

/** Whether a thread of the process runs or waits for a core. Source: proc_pid_stat(5). */
function runs(pid: number): boolean {
  const stat = readProcessStat(pid);
  if (stat === null) return false;
  if (stat.state === 'R' || stat.threads === 1) return stat.state === 'R';
  return listProc(`/proc/${pid}/task`).some((thread) => {
    const text = readProc(`/proc/${pid}/task/${thread}/stat`) ?? '';
    return text[text.lastIndexOf(')') + 2] === 'R';
  });
}

/** CPU of a process itself, its ended threads included, in ns; null once it has ended. */
type ReadOwn = (process: LiveProcess) => number | null;

type Sight = { startTicks: number; ownNs: number; childTicks: number; countedNs: number; ended: boolean };

const tickNs = tickUs * 1000;

/**
 * CPU time of processes that come and go, added up so that it never goes back. A process adds what it gained since it was last
 * seen; one that has ended stays with what it had then. What it used between that and its end is known in ticks only, from the
 * process that waited for it, and is counted apart.
 */
export class CpuLedger {
  readonly #readOwn: ReadOwn;
  #sights: ReadonlyMap<number, Sight> = new Map();
  #ownNs = 0;
  #childrenNs = 0;
  /** Counted of processes that have ended, and not yet seen again in the count of whoever waited for them. */
  #endedNs = 0;
  readonly #ended = { processes: 0, countedNs: 0 };

  constructor(readOwn: ReadOwn = readByClock) {
    this.#readOwn = readOwn;
  }

  /** Total in µs, from the start of each process, so that only differences mean anything. */
  get ownUs(): number {
    return this.#ownNs / 1000;
  }

  /** CPU of ended children that no reading covered, as of the last listing, in steps of a tick. */
  get childrenUs(): number {
    return this.#childrenNs / 1000;
  }

  /** Processes that were seen and have ended, what was counted of them, and how much of that nobody has waited for yet. */
  get ended(): { processes: number; countedUs: number; unwaitedUs: number } {
    const { processes, countedNs } = this.#ended;
    return { processes, countedUs: countedNs / 1000, unwaitedUs: this.#endedNs / 1000 };
  }

  /** @param members some may have ended since they were listed */
  observe(members: readonly LiveProcess[]): void {
    const sights = new Map(members.map((member) => [member.pid, this.#look(member)]));
    for (const [pid, before] of this.#sights) {
      const now = sights.get(pid);
      const ended = now === undefined || now.ended || now.startTicks !== before.startTicks;
      if (!ended || before.ended) continue;
      this.#endedNs += before.countedNs;
      this.#ended.processes++;
      this.#ended.countedNs += before.countedNs;
    }
    let gainedNs = 0;
    for (const { pid, stat } of members) {
      const before = this.#known({ pid, stat });
      // One that is new has waited for nobody that this ledger knows.
      gainedNs += Math.max(0, stat.childTicks - (before?.childTicks ?? 0)) * tickNs;
    }
    const unseenNs = Math.max(0, gainedNs - this.#endedNs);
    this.#endedNs -= gainedNs - unseenNs;
    this.#childrenNs += unseenNs;
    this.#sights = sights;
  }

  #known({ pid, stat }: LiveProcess): Sight | null {
    const before = this.#sights.get(pid);
    return before?.startTicks === stat.startTicks ? before : null;
  }

  #look(member: LiveProcess): Sight {
    const { startTicks, childTicks } = member.stat;
    const before = this.#known(member);
    const lastNs = before?.ownNs ?? 0;
    const ownNs = before?.ended === true ? null : this.#readOwn(member);
    // A clock that went back belongs to another process, which has the PID of an ended one.
    const ended = ownNs === null || ownNs < lastNs;
    const gainNs = ended ? 0 : ownNs - lastNs;
    this.#ownNs += gainNs;
    const countedNs = (before?.countedNs ?? 0) + gainNs;
    return { startTicks, childTicks, countedNs, ended, ownNs: ended ? lastNs : ownNs };
  }
}

/** Reads the CPU clock or, where there is none, the ticks of 10 ms that the clock is checked against elsewhere. */
function readByClock({ pid, stat }: LiveProcess): number | null {
  const { readNs } = cpuClock();
  return readNs === null ? readByTicks({ pid, stat: readProcessStat(pid) ?? stat }) : readNs(pid);
}

/** Ticks at the time of the listing, in ns. */
export function readByTicks({ stat }: LiveProcess): number {
  return stat.ownTicks * tickNs;
}

/** CPU of process trees, read between two turns: what still tidies up counts for the turn before, not for another arm's. */
export class TreeCpu {
  readonly #ledger = new CpuLedger();
  readonly #tree: ProcessTree;
  readonly #sleep: SleepWatch;

  /** @param roots those that have ended are left out */
  constructor(roots: readonly number[]) {
    this.#tree = new ProcessTree(...aliveOf(roots));
    this.#sleep = new SleepWatch(() => this.pids);
    this.readUs();
  }

  get pids(): number[] {
    return this.#tree.members.map(({ pid }) => pid);
  }

  /** µs; without the children that came and went since the reading before. Keeps this thread waiting meanwhile. */
  readSettledUs(): number {
    this.#sleep.block();
    return this.readUs();
  }

  /** The same at once. */
  readUs(): number {
    this.#ledger.observe(this.#tree.refresh());
    return this.#ledger.ownUs;
  }
}

/**
 * The monotonic clock of this host, µs: the same in all of its processes, and set by nobody. `performance.now()` counts from the start of each
 * process.
 */
export function monotonicUs(): number {
  return Number(process.hrtime.bigint() / 1000n);
}
