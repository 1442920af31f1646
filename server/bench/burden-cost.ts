import { rmSync } from 'node:fs';
import { byArm, byArmInTurn, fromSides, namesOf } from '../../shared/base/arms.ts';
import { type Arm, twoSidesAndTwin } from '../../shared/base/transport.ts';
import type { Estimate } from '../../shared/base/units.ts';
import { headerLines } from '../../shared/scenario/header-lines.ts';
import type { Listener } from '../../shared/target/target.ts';
import { median } from '../method/statistics/intervals.ts';
import { meanOf } from '../method/statistics/mean.ts';
import type { Perturbation } from '../targets/storefront/perturbation.ts';
import { searchScenario } from '../targets/storefront/search-scenario.ts';
import { type StorefrontTarget, startStorefront } from '../targets/storefront/start-storefront.ts';
import { makeDataDirectory } from '../testing/program-in-test.ts';
import { meanInterval } from './spread.ts';

const warmUpTransactions = 800;
/** Long beside the requests for which garbage is held, so that little of its cost falls into the next turn. */
const usualTurn = 500;
/** Number of users with which a run loads a side: the same burden costs a quarter more CPU at load than with one user. */
const usersAtLoad = 8;
/** Transactions of one arm before the next has its turn. */
const burst = 40;
/** Whether the comparison carries the burden in a turn, or the others: neither comes later on average. */
const onComparison = [true, false, false, true];

export type Burden = {
  heavy: Perturbation;
  /** Burden of the side without the heavy one. */
  light: Perturbation;
  /** Transactions after which the sides change places. */
  turn?: number;
};

/** Means with 95 % intervals over the launches. */
type BurdenCost = {
  /** CPU of a request at load, µs, by what the processes count of themselves. */
  cpuUs: Estimate;
  /** Time of a transaction, µs, by the median of a client that asks for one after the other. */
  latencyUs: Estimate;
};

/** The cost of a burden, told on stderr. Null if interrupted, or if fewer than two launches were made. */
export async function tellCost(
  name: string,
  burden: Burden,
  launches: number,
  signal: AbortSignal,
): Promise<BurdenCost | null> {
  const cost = await measureBurdenCost(burden, launches, signal).catch((error: unknown) => {
    if (signal.aborted) return null;
    throw error;
  });
  if (cost !== null) {
    const print = ({ center, lo, hi }: Estimate) => `${center.toFixed(1)} ±${((hi - lo) / 2).toFixed(1)} µs`;
    process.stderr.write(
      `${name}: ${print(cost.cpuUs)} of CPU a request by the processes' own count, ${print(cost.latencyUs)} a transaction by a client's clock\n`,
    );
  }
  return cost;
}

/**
 * Difference in cost between the heavy and the light side of a burden. Comparison and others carry it in turn, so neither
 * differences between processes nor changes on the machine are part of it. It shares no instrument with a run, so
 * a run can be checked against it. Null if fewer than two launches were made.
 */
async function measureBurdenCost(
  burden: Burden,
  launches: number,
  signal: AbortSignal,
): Promise<BurdenCost | null> {
  const { heavy, light, turn = usualTurn } = burden;
  const costs: Cost[] = [];
  const directory = makeDataDirectory();
  try {
    for (let launch = 0; launch < launches && !signal.aborted; launch++) {
      const storefront = await startStorefront({
        directory,
        transports: fromSides(twoSidesAndTwin, ['http', 'http']),
        databaseUrl: null,
        // Window 0, the warm-up, has it on all: what it runs is to be compiled.
        perturbation: ({ arm, window }) =>
          window === 0 || (arm === 'comparison') === onComparison[window - 1] ? heavy : light,
        signal,
      });
      try {
        costs.push(await costIn(storefront, turn, signal));
      } finally {
        await storefront.stop();
      }
    }
    const cpuUs = meanInterval(costs.map((cost) => cost.cpuUs));
    const latencyUs = meanInterval(costs.map((cost) => cost.latencyUs));
    return cpuUs === null || latencyUs === null ? null : { cpuUs, latencyUs };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

const arms = namesOf(twoSidesAndTwin);

type Cost = { cpuUs: number; latencyUs: number };

async function costIn(storefront: StorefrontTarget<Arm>, turn: number, signal: AbortSignal): Promise<Cost> {
  await load(storefront, { transactions: Math.min(warmUpTransactions, 2 * turn), users: 1 }, signal);
  const signed: Cost[] = [];
  for (const carried of onComparison) {
    await storefront.beforeWindow?.();
    const lone = await load(storefront, { transactions: turn, users: 1 }, signal);
    const atLoad = await load(storefront, { transactions: turn, users: usersAtLoad }, signal);
    const less = ({ baseline, comparison, twin }: Record<Arm, Cost>, of: keyof Cost) =>
      (carried ? 1 : -1) * (comparison[of] - (baseline[of] + twin[of]) / 2);
    signed.push({ cpuUs: less(atLoad, 'cpuUs'), latencyUs: less(lone, 'latencyUs') });
  }
  return {
    cpuUs: meanOf(signed.map(({ cpuUs }) => cpuUs)),
    latencyUs: meanOf(signed.map(({ latencyUs }) => latencyUs)),
  };
}

/** Transaction after transaction, arm after arm, as in lockstep; with several users in bursts, as at load. */
async function load(
  { listeners, counters }: StorefrontTarget<Arm>,
  { transactions, users }: { transactions: number; users: number },
  signal: AbortSignal,
): Promise<Record<Arm, Cost>> {
  const before = await byArmInTurn(arms, counters);
  const tookUs = byArm(arms, (): number[] => []);
  const each = users === 1 ? 1 : burst;
  for (let done = 0; done < transactions; done += each) {
    for (const arm of arms) {
      let left = each;
      const user = async () => {
        while (left > 0) {
          left -= 1;
          const since = performance.now();
          await transact(listeners[arm], signal);
          tookUs[arm].push(1000 * (performance.now() - since));
        }
      };
      await Promise.all(Array.from({ length: users }, user));
    }
  }
  return byArmInTurn(arms, async (arm) => {
    const after = await counters(arm);
    const cpuUs = (after.cpuUs - before[arm].cpuUs) / (after.requests - before[arm].requests);
    return { cpuUs, latencyUs: median(tookUs[arm]) };
  });
}

async function transact({ address, port }: Listener, signal: AbortSignal): Promise<void> {
  for (const { method, path, headers, body } of searchScenario.steps) {
    const answer = await fetch(`http://${address}:${port}${path}`, {
      method,
      headers: headerLines(headers),
      body: body ?? null,
      signal,
    });
    await answer.arrayBuffer();
  }
}
