import { problem } from '../../../shared/base/problem.ts';
import { unlessAborted } from './unless-aborted.ts';

/** Keeps apart what loads other hosts from this process, as two of them together would exceed the rate of a host. */
export type HostTurns = {
  /** Does one check after another, of whatever hosts. Throws target_busy while a run has one of them. */
  check<Result>(hosts: readonly string[], signal: AbortSignal, act: () => Promise<Result>): Promise<Result>;
  /** Gives a run the hosts as soon as no check goes on, until it calls what this resolves with. */
  take(hosts: readonly string[], signal: AbortSignal): Promise<() => void>;
};

export function openHostTurns(): HostTurns {
  const takeTurn = openTurns();
  const taken = new Set<string>();

  function demandFree(hosts: readonly string[]): void {
    const host = hosts.find((each) => taken.has(each));
    if (host === undefined) return;
    throw problem('target_busy', `A run is measuring ${host}, and a check would add to its load.`);
  }

  return {
    async check(hosts, signal, act) {
      demandFree(hosts);
      return takeTurn(signal, async () => {
        demandFree(hosts);
        return act();
      });
    },
    async take(hosts, signal) {
      const release = () => {
        for (const host of hosts) taken.delete(host);
      };
      try {
        await takeTurn(signal, async () => {
          for (const host of hosts) taken.add(host);
        });
      } catch (error) {
        release();
        throw error;
      }
      return release;
    },
  };
}

/** Does one thing after another, in the order in which they were asked for. Rejects as soon as its signal is aborted. */
type TakeTurn = <Result>(signal: AbortSignal, act: () => Promise<Result>) => Promise<Result>;

export function openTurns(): TakeTurn {
  let last: Promise<unknown> = Promise.resolve();

  return async (signal, act) => {
    const turn = last.then(() => {
      signal.throwIfAborted();
      return act();
    });
    last = turn.catch(() => {});
    return unlessAborted(signal, turn);
  };
}

/** Spreads what begins evenly over time. Times in ms, of one clock. */
export class Pace {
  readonly #everyMs: number;
  #freeAtMs = 0;

  constructor(perS: number) {
    this.#everyMs = 1000 / perS;
  }

  /** How long the next one has to wait. */
  waitMs(nowMs: number): number {
    return Math.max(0, this.#freeAtMs - nowMs);
  }

  /** Returns how long they have to wait; the ones after them wait for these as well. */
  take(count: number, nowMs: number): number {
    const waitMs = this.waitMs(nowMs);
    this.#freeAtMs = nowMs + waitMs + count * this.#everyMs;
    return waitMs;
  }
}
