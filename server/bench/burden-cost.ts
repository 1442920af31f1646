import { rmSync } from 'node:fs';
import type { Estimate } from '../../shared/comparison.ts';
import { arms } from '../../shared/transport.ts';
import { type StorefrontTarget, startStorefront } from '../target/start-storefront.ts';
import { noPerturbation, type Perturbation } from '../target/storefront/perturbation.ts';
import { meanInterval } from './spread.ts';
import { makeDataDirectory } from './test-server.ts';

const warmUpRequests = 3000;
const rounds = 40;
const requestsOfRound = 100;
const path = '/search';

/**
 * CPU that a burden costs a request, µs, over fresh launches: what the process counts of itself over thousands of requests,
 * less what one without the burden counts. It uses nothing of what a run is measured with, so a run can be held against it.
 */
export async function measureBurdenCost(
  burden: Partial<Perturbation>,
  launches: number,
  signal: AbortSignal,
): Promise<Estimate | null> {
  const costs: number[] = [];
  const directory = makeDataDirectory();
  try {
    for (let launch = 0; launch < launches && !signal.aborted; launch++) {
      const storefront = await startStorefront({
        directory,
        transports: { baseline: 'http', comparison: 'http', twin: 'http' },
        databaseUrl: null,
        perturbation: ({ arm }) => (arm === 'comparison' ? { ...noPerturbation, ...burden } : null),
        signal,
      });
      try {
        costs.push(await costIn(storefront, signal));
      } finally {
        await storefront.stop();
      }
    }
    return meanInterval(costs);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** The arms take short turns, so that a change of the machine strikes them alike. */
async function costIn({ listeners, counters }: StorefrontTarget, signal: AbortSignal): Promise<number> {
  const load = async (arm: 'baseline' | 'comparison' | 'twin', requests: number) => {
    const { address, port } = listeners[arm];
    for (let i = 0; i < requests; i++) {
      await (await fetch(`http://${address}:${port}${path}`, { signal })).arrayBuffer();
    }
  };
  for (const arm of arms) await load(arm, warmUpRequests);
  const before = await Promise.all(arms.map(counters));
  for (let round = 0; round < rounds; round++) for (const arm of arms) await load(arm, requestsOfRound);
  const after = await Promise.all(arms.map(counters));
  const [baseline = 0, comparison = 0, twin = 0] = arms.map((_, place) => {
    const [from, to] = [before[place], after[place]];
    return from && to ? (to.cpuUs - from.cpuUs) / (to.requests - from.requests) : 0;
  });
  return comparison - (baseline + twin) / 2;
}
