import { ThreadLedger } from '../process/thread-ledger.ts';

/** Readings until two are alike; a server that never sleeps is read so often at most. */
const mostReadings = 12;

/**
 * CPU of some processes, read between two turns. The kernel brings a thread's count up to date when it goes to sleep, so
 * what still tidies up after its last answer is waited for.
 */
export class TreeCpu {
  readonly #ledger = new ThreadLedger();
  readonly #pids: readonly number[];

  constructor(pids: readonly number[]) {
    this.#pids = pids;
    this.#ledger.observe(pids);
  }

  readSettledUs(): number {
    let before = this.#ledger.observe(this.#pids);
    for (let reading = 1; reading < mostReadings; reading++) {
      const now = this.#ledger.observe(this.#pids);
      if (now === before) return now;
      before = now;
    }
    return before;
  }
}
