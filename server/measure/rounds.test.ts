/** Protects a sample's figures of programs that work after their requests, from the turns that it sums. */
import { expect, test } from 'vitest';
import type { Burst } from '../drive/load/load-messages.ts';
import type { Bench } from './bench.ts';
import { samples } from './rounds.ts';

type Name = 'A' | 'B';
const transactionsOf = { A: 100, B: 60 };

/** Its companion uses 3 µs per transaction at once and 7 in the next turn; the kernel 1, in the same turn. */
function scriptedBench(): Bench<Name> {
  let [now, before, usedUs, kernelUs] = [0, 0, 0, 0];
  const burst = async (arm: string): Promise<Burst> => {
    now = transactionsOf[arm as Name];
    const [one, elapsedUs] = [{ started: now, succeeded: now, transactionsInWindow: now }, 1000];
    return { elapsedUs, windowUs: elapsedUs, ...one, cpuUs: 0, busiestUs: 0 };
  };
  return {
    arms: [
      { name: 'A', letter: 'A' },
      { name: 'B', letter: 'B' },
    ],
    generator: { burst } as unknown as Bench<Name>['generator'],
    readings: {
      ...{ shared: true, remote: null, stepUs: () => null, sum: ({ A }) => A },
      readCpu: async () => ({ A: 0, B: 0 }),
      awaitAsleep: async () => ({ waitedUs: 0, asleep: true }),
    },
    others: {
      ...{ counts: 'beside', stepUs: null, readChildren: () => [null] },
      // Once per turn, also of one without requests.
      async awaitAsleep() {
        usedUs += 3 * now + 7 * before;
        kernelUs += now;
        [before, now] = [now, 0];
        return { waitedUs: 0, asleep: true };
      },
      readUs: () => new Map([[0, usedUs]]),
      readKernelUs: () => kernelUs,
    },
    readHost: () => null,
    beforeRound: null,
  };
}

test('late work is told from work in the turn, and what was taken for idle use is known', async () => {
  const extent = { seed: 1, ms: 400, sampleMs: 400, signal: new AbortController().signal };
  for await (const { window } of samples(scriptedBench(), { users: 1, burstMs: 15 }, extent, 0)) {
    expect(window.lag?.us).toEqual([0, expect.closeTo(7, 3)]);
    const arms = Object.values(window.arms);
    const [transactions, netUs, kernelUs] = [
      arms.reduce((sum, each) => sum + each.transactions, 0),
      arms.reduce((sum, { programsUs }) => sum + (programsUs?.[1] ?? 0), 0),
      arms.reduce((sum, each) => sum + (each.kernelUs ?? 0), 0),
    ];
    expect(kernelUs).toBe(transactions);
    // Turns without requests, and the last one, keep a part of what is late.
    const wholeUs = netUs + 7 * (window.lag?.subtracted ?? 0);
    expect(wholeUs).toBeGreaterThan(3 * transactions);
    expect(wholeUs).toBeLessThanOrEqual(10 * transactions);
  }
});
