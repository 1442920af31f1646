import { listProc, readProc } from './proc-files.ts';

/** What a server may do after its last answer before its CPU is read all the same. */
const longestMs = 10;
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
    if (this.#inVain < mostInVain) this.#inVain = this.#settles(pids) ? 0 : this.#inVain + 1;
  }

  #settles(pids: readonly number[]): boolean {
    const untilMs = performance.now() + longestMs;
    while (pids.some(isRunning)) {
      if (performance.now() > untilMs) return false;
      // For a machine that has no other core to finish on.
      Atomics.wait(this.#asleep, 0, 0, pauseMs);
    }
    return true;
  }
}

/** Whether a thread of the process runs or waits for a core. Source: proc_pid_stat(5). */
function isRunning(pid: number): boolean {
  return listProc(`/proc/${pid}/task`).some((thread) => {
    const stat = readProc(`/proc/${pid}/task/${thread}/stat`) ?? '';
    return stat[stat.lastIndexOf(')') + 2] === 'R';
  });
}
