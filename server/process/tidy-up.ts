import { listProc, readProc } from './proc-files.ts';
import { ThreadLedger } from './thread-ledger.ts';

/** CPU that a server may use after its last answer before its CPU is read all the same. */
const longestMs = 10;
/** On a busy machine it waits for a core first, for as long as this. */
const starvedMs = 100;
const pauseMs = 0.1;
/** After this many waits in vain, it stops waiting: a server may have a thread that never sleeps. */
const mostInVain = 3;

/**
 * Waits for processes that still tidy up after their last answer: until they sleep the work would count for what comes
 * next, and besides the kernel brings the count of a running thread up to date with its tick only, every few ms.
 */
export class TidyUp {
  readonly #asleep = new Int32Array(new SharedArrayBuffer(4));
  #inVain = 0;

  /** Keeps this thread waiting meanwhile. */
  await(pids: readonly number[]): void {
    if (this.#inVain < mostInVain) this.#inVain = this.#neverSleeps(pids) ? this.#inVain + 1 : 0;
  }

  /** Waits until they sleep. True when they use a core all the time instead; not when they get none. */
  #neverSleeps(pids: readonly number[]): boolean {
    const fromMs = performance.now();
    const ledger = new ThreadLedger();
    let spentFromUs: number | null = null;
    while (pids.some(isRunning)) {
      const waitedMs = performance.now() - fromMs;
      if (waitedMs > starvedMs) return false;
      if (waitedMs > longestMs) {
        const spentUs = ledger.observe(pids);
        spentFromUs ??= spentUs;
        if (spentUs - spentFromUs > longestMs * 1000) return true;
      }
      // For a machine that has no other core to finish on.
      Atomics.wait(this.#asleep, 0, 0, pauseMs);
    }
    return false;
  }
}

/** Whether a thread of the process runs or waits for a core. Source: proc_pid_stat(5). */
function isRunning(pid: number): boolean {
  return listProc(`/proc/${pid}/task`).some((thread) => {
    const stat = readProc(`/proc/${pid}/task/${thread}/stat`) ?? '';
    return stat[stat.lastIndexOf(')') + 2] === 'R';
  });
}
