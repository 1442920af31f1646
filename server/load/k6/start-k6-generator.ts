import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { z } from 'zod';
import type { MeasuringEngine } from '../../../shared/engine.ts';
import type { Listener } from '../../../shared/target.ts';
import { type Arm, byArm, schemeOf } from '../../../shared/transport.ts';
import { writeK6Pairs } from '../../export/write-k6-pairs.ts';
import { mergeParts } from '../merge-parts.ts';
import {
  configurationSchema,
  type SlotOptions,
  slotOptionsSchema,
  windowOptionsSchema,
} from '../messages.ts';
import { hostOf } from '../request-bytes.ts';
import type { Generator } from '../start-generator.ts';
import { demandListeners } from './demand-listeners.ts';
import { findK6 } from './find-k6.ts';
import type { Order } from './order-desk.ts';
import type { Transaction } from './read-sample.ts';
import { SampleCount } from './sample-count.ts';
import { type Crew, startCrew } from './start-crew.ts';
import { countWindow, performTurns } from './window-of-pairs.ts';

type Configuration = z.output<typeof configurationSchema>;

/** k6 as the load generator: it runs from `configure` on. Throws k6_unusable; its calls reject with k6_failed. */
export async function startK6Generator(
  processes: number,
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<Generator & { engine: MeasuringEngine }> {
  const version = await findK6(signal);
  const directory = mkdtempSync(join(tmpdir(), 'tls-toll-k6-'));
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
      ...{ elapsedUs: Math.round(elapsedUs), windowUs, cpuUs },
      started: transactions.length,
      succeeded: succeeded.length,
      transactionsInWindow: succeeded.reduce((sum, each) => sum + partIn(each, discardMs, durationMs), 0),
    };
  }

  return {
    engine: { name: 'k6', version },
    get pids() {
      return crew?.pids ?? [];
    },
    async configure(given) {
      const configuration = configurationSchema.parse(given);
      await crew?.stop();
      crew = null;
      const { listeners, scenario, connections } = configuration;
      demandListeners(listeners);
      counts.clear();
      const names = scenario.steps.map((step) => step.name);
      for (const listener of listeners) counts.set(listener.arm, new SampleCount(listener, names));
      users = connections;
      transactionMs = transactionMsOf(configuration);
      crew = await startCrew((control) => scriptOf(configuration, control), {
        processes: Math.min(processes, connections),
        users,
        ca: writeAuthorities(directory, listeners),
        signal,
      });
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
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function partIn({ from, to }: Transaction, fromMs: number, toMs: number): number {
  // Its clock counts whole milliseconds.
  const end = Math.max(to, from + 1);
  return Math.max(0, Math.min(end, toMs) - Math.max(from, fromMs)) / (end - from);
}

function transactionMsOf({ scenario, thinkTimeScale, requestTimeoutMs }: Configuration): number {
  return scenario.steps.reduce(
    (sum, { thinkTimeMs }) => sum + thinkTimeMs * thinkTimeScale + requestTimeoutMs,
    0,
  );
}

function scriptOf({ listeners, thinkTimeScale, ...configuration }: Configuration, control: string): string {
  const { scenario, tls, connections, connectionPolicy, requestTimeoutMs } = configuration;
  const originOf = (listener: Listener) => `${schemeOf(listener.transport)}://${hostOf(listener)}`;
  const named = listeners.filter(({ hostname, address }) => hostname !== address);
  return writeK6Pairs({
    ...{ scenario, tls, connections, connectionPolicy, thinkTimeScale, requestTimeoutMs, control },
    origins: byArm((arm) => listeners.filter((each) => each.arm === arm).map(originOf)[0] ?? ''),
    hosts: Object.fromEntries(
      named.map(({ hostname, address, port }) => [`${hostname}:${port}`, `${bracketed(address)}:${port}`]),
    ),
  });
}

function bracketed(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}

/** One file for all arms; null for the system's. */
function writeAuthorities(directory: string, listeners: readonly Listener[]): string | null {
  const authorities = [...new Set(listeners.flatMap(({ ca }) => ca ?? []))];
  if (authorities.length === 0) return null;
  const file = join(directory, 'authorities.pem');
  writeFileSync(file, authorities.join('\n'), { mode: 0o600 });
  return file;
}
