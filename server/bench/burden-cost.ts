import { rmSync } from 'node:fs';
import type { Estimate } from '../../shared/comparison.ts';
import { type Arm, arms } from '../../shared/transport.ts';
import { meanOf } from '../statistics/mean.ts';
import { type StorefrontTarget, startStorefront } from '../target/start-storefront.ts';
import { noPerturbation, type Perturbation } from '../target/storefront/perturbation.ts';
import { searchScenario } from '../target/storefront/search-scenario.ts';
import { meanInterval } from './spread.ts';
import { makeDataDirectory } from './test-server.ts';

const warmUpTransactions = 800;
/** Long beside the requests for which garbage is held, so that little of its cost falls into the next turn. */
const transactionsOfTurn = 500;
/** Whether the comparison carries the burden in a turn, or the others: neither comes later on average. */
const onComparison = [true, false, false, true];

/**
 * CPU that a burden costs a request, µs, by what processes count of themselves. The comparison and the others carry it in
 * turn, so neither what differs between processes nor what changes on the machine is part of it. It uses nothing of what a run
 * is measured with, so a run can be held against it.
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
        // Window 0, the warm-up, has it on all: what it runs is to be compiled.
        perturbation: ({ arm, window }) =>
          window === 0 || (arm === 'comparison') === onComparison[window - 1]
            ? { ...noPerturbation, ...burden }
            : null,
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

async function costIn(storefront: StorefrontTarget, signal: AbortSignal): Promise<number> {
  await load(storefront, warmUpTransactions, signal);
  const signed: number[] = [];
  for (const carried of onComparison) {
    await storefront.beforeWindow?.();
    const { baseline, comparison, twin } = await load(storefront, transactionsOfTurn, signal);
    signed.push((carried ? 1 : -1) * (comparison - (baseline + twin) / 2));
  }
  return meanOf(signed);
}

/** Transaction after transaction, arm after arm, as in lockstep. Returns CPU a request, µs. */
async function load(
  { listeners, counters }: StorefrontTarget,
  transactions: number,
  signal: AbortSignal,
): Promise<Record<Arm, number>> {
  const before = {
    baseline: await counters('baseline'),
    comparison: await counters('comparison'),
    twin: await counters('twin'),
  };
  for (let i = 0; i < transactions; i++) {
    for (const arm of arms) {
      const { address, port } = listeners[arm];
      for (const { method, path, headers, body } of searchScenario.steps) {
        const answer = await fetch(`http://${address}:${port}${path}`, {
          method,
          headers,
          body: body ?? null,
          signal,
        });
        await answer.arrayBuffer();
      }
    }
  }
  const since = async (arm: Arm) => {
    const after = await counters(arm);
    return (after.cpuUs - before[arm].cpuUs) / (after.requests - before[arm].requests);
  };
  return {
    baseline: await since('baseline'),
    comparison: await since('comparison'),
    twin: await since('twin'),
  };
}
