import { problem } from '../../../shared/base/problem.ts';
import { openTurns } from './open-turns.ts';

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
