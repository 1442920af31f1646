import { SleepWatch } from './await-asleep.ts';
import { CpuLedger } from './cpu-ledger.ts';
import { aliveOf, ProcessTree } from './process-tree.ts';

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
