import type { z } from 'zod';
import type { MeasuringEngine } from '../../../shared/engine.ts';
import type { Listener } from '../../../shared/target.ts';
import type { Arm } from '../../../shared/transport.ts';
import { longestTransactionMs } from '../longest-times.ts';
import { mergeParts } from '../merge-parts.ts';
import {
  configurationSchema,
  type SlotOptions,
  slotOptionsSchema,
  windowOptionsSchema,
} from '../messages.ts';
import type { Generator } from '../start-generator.ts';
import type { Order } from './order-desk.ts';
import type { Transaction } from './read-sample.ts';
import { SampleCount } from './sample-count.ts';
import { type Crew, type CrewPlace, startCrew } from './start-crew.ts';
import { countWindow, performTurns } from './window-of-pairs.ts';

export type AskedConfiguration = z.output<typeof configurationSchema>;

/** Where k6 runs, and what differs there. */
export type K6Station = {
  /** Its version may be known only once it runs. */
  readonly engine: MeasuringEngine;
  /** Refuses by name what k6 cannot do at these listeners from there. Throws k6_cannot. */
  demandListeners(listeners: readonly Listener[]): void;
  placeOf(configuration: AskedConfiguration): CrewPlace;
  /** After the last crew has stopped. */
  close(): void;
};

/** k6 as the load generator: it runs from `configure` on. Its calls reject with k6_failed. */
export function generatorOfCrew(
  station: K6Station,
  signal: AbortSignal | undefined,
): Generator & { readonly engine: MeasuringEngine } {
  const counts = new Map<Arm, SampleCount>();
  let crew: Crew | null = null;
  let users = 0;
  let transactionMs = 0;

  function countOf(arm: Arm): SampleCount {
    const count = counts.get(arm);
    if (count === undefined) throw new Error(`k6 was not configured for the ${arm} arm`);
    return count;
  }

  function running(): Crew {
    if (crew === null) throw new Error('k6 was not configured');
    return crew;
  }

  /** All users do one transaction, or as many as the time holds. */
  async function load(arm: Arm, order: Pick<Order, 'durationMs' | 'firstRow'>) {
    const all = { arms: [arm], users, turnTransactions: 1, seed: 0, sameRow: false };
    const performed = await running().perform({ ...all, ...order }, order.durationMs + transactionMs);
    return { ...performed, transactions: await running().transactions(performed.number, users) };
  }

  async function burst(arm: Arm, given: SlotOptions) {
    const { durationMs, discardMs, ratePerS, firstRow } = slotOptionsSchema.parse(given);
    if (ratePerS !== null) throw new Error('k6 measures no open load here');
    const { elapsedUs, cpuUs, transactions } = await load(arm, { durationMs, firstRow });
    const windowUs = (durationMs - discardMs) * 1000;
    for (const each of transactions) {
      countOf(arm).add(each, each.to >= discardMs && each.to < durationMs);
    }
    countOf(arm).addTime(elapsedUs, windowUs, cpuUs);
    const succeeded = transactions.filter(({ failure }) => failure === null);
    return {
      ...{ elapsedUs: Math.round(elapsedUs), windowUs, cpuUs, busiestUs: cpuUs },
      started: transactions.length,
      succeeded: succeeded.length,
      transactionsInWindow: succeeded.reduce((sum, each) => sum + partIn(each, discardMs, durationMs), 0),
    };
  }

  return {
    get engine() {
      return station.engine;
    },
    get pids() {
      return crew?.pids ?? [];
    },
    async configure(given) {
      const configuration = configurationSchema.parse(given);
      await crew?.stop();
      crew = null;
      const { listeners, scenario, connections } = configuration;
      station.demandListeners(listeners);
      counts.clear();
      const names = scenario.steps.map((step) => step.name);
      for (const listener of listeners) counts.set(listener.arm, new SampleCount(listener, names));
      users = connections;
      transactionMs = longestTransactionMs(configuration);
      crew = await startCrew(station.placeOf(configuration), { users, signal });
    },
    async prepare(arm) {
      const count = countOf(arm);
      count.clear();
      const { transactions } = await load(arm, { durationMs: 0.001, firstRow: 0 });
      for (const each of transactions) count.add(each, false);
      const { opened, negotiated } = count;
      return { ...opened, negotiated, errors: count.recorder.takeErrors() };
    },
    async clear(arm) {
      countOf(arm).clear();
    },
    burst,
    async run(arm, slot) {
      countOf(arm).clear();
      await burst(arm, slot);
      return mergeParts([countOf(arm).collect()]);
    },
    async window(given) {
      const options = windowOptionsSchema.parse(given);
      const asked = { ...options, users: Math.min(options.users, users) };
      return countWindow(await performTurns(running(), asked, transactionMs), asked, countOf);
    },
    async collect(arm) {
      return mergeParts([countOf(arm).collect()]);
    },
    async stop() {
      await crew?.stop();
      station.close();
    },
  };
}

function partIn({ from, to }: Transaction, fromMs: number, toMs: number): number {
  // Its clock counts whole milliseconds.
  const end = Math.max(to, from + 1);
  return Math.max(0, Math.min(end, toMs) - Math.max(from, fromMs)) / (end - from);
}
