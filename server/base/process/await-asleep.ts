import { setTimeout as pause } from 'node:timers/promises';
import { cpuClock } from './cpu-clock.ts';
import { readKernelLoad } from './kernel-load.ts';
import { listProc, readProc } from './proc-files.ts';
import { readProcessStat } from './process-stat.ts';

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
      // Where they get no core their clock stands still.
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

/** Where the only thread of the machine that runs is the one that asks, there is no need to look at each of theirs. */
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
