import { ThreadLedger } from '../process/thread-ledger.ts';
import { TidyUp } from '../process/tidy-up.ts';

/** CPU of some processes, read between two turns: what still tidies up counts for the turn before, not for another arm's. */
export class TreeCpu {
  readonly #ledger = new ThreadLedger();
  readonly #tidyUp = new TidyUp();
  readonly #pids: readonly number[];

  constructor(pids: readonly number[]) {
    this.#pids = pids;
    this.#ledger.observe(pids);
  }

  /** Keeps this thread waiting meanwhile. */
  readSettledUs(): number {
    this.#tidyUp.await(this.#pids);
    return this.#ledger.observe(this.#pids);
  }
}
