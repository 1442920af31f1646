import { listProc, readProc } from '../process/proc-files.ts';
import { ThreadLedger } from '../process/thread-ledger.ts';

/** What a server may do after its last answer before its CPU is read all the same. */
const longestTidyingMs = 10;
const pauseMs = 0.1;
/** After this many waits in vain, it stops waiting: a server may have a thread that never sleeps. */
const mostInVain = 3;

/**
 * CPU of some processes, read between two turns. What still tidies up after its last answer is waited for: until it sleeps
 * the work would count for the next turn, which is another arm's, and besides the kernel brings the count of a running
 * thread up to date with its tick only, every few ms.
 */
export class TreeCpu {
  readonly #ledger = new ThreadLedger();
  readonly #pids: readonly number[];
  readonly #asleep = new Int32Array(new SharedArrayBuffer(4));
  #inVain = 0;

  constructor(pids: readonly number[]) {
    this.#pids = pids;
    this.#ledger.observe(pids);
  }

  /** Keeps this thread waiting meanwhile. */
  readSettledUs(): number {
    if (this.#inVain < mostInVain) this.#inVain = this.#settles() ? 0 : this.#inVain + 1;
    return this.#ledger.observe(this.#pids);
  }

  #settles(): boolean {
    const untilMs = performance.now() + longestTidyingMs;
    while (this.#pids.some(isRunning)) {
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
