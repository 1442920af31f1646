import { setTimeout as pause } from 'node:timers/promises';
import { problem } from '../../../shared/problem.ts';
import { ThreadLedger } from '../../process/thread-ledger.ts';
import { type Order, openOrderDesk } from './order-desk.ts';
import { readSample, type Transaction } from './read-sample.ts';
import { type K6Process, startK6 } from './start-k6.ts';

export type Performed = { number: number; elapsedUs: number; cpuUs: number };

/** Processes of k6 that share the virtual users among them and take orders together. */
export type Crew = {
  pids: readonly number[];
  /** Resolves when nothing is in flight any more; its samples come later. */
  perform(order: Order, expectedMs: number): Promise<Performed>;
  /** All transactions of an order that was performed, once k6 has written them. */
  transactions(number: number, users: number): Promise<Transaction[]>;
  /** CPU time of all processes so far, in µs. */
  readCpuUs(): number;
  stop(): Promise<void>;
};

type Awaited = { transactions: Transaction[]; done: number; check: () => void };

const graceMs = 15_000;
/** k6 compiles the script once for each virtual user. */
const startMs = 60_000;

/**
 * @param scriptFor the address where virtual users ask for orders
 * @param ca file of the authority to trust
 * Throws k6_failed; rejects with the signal's reason.
 */
export async function startCrew(
  scriptFor: (control: string) => string,
  {
    processes,
    users,
    ca,
    signal,
  }: { processes: number; users: number; ca: string | null; signal: AbortSignal | undefined },
): Promise<Crew> {
  const desk = await openOrderDesk();
  const orders = new Map<number, Awaited>();
  const ledger = new ThreadLedger();
  const crew: K6Process[] = [];
  const cancelled = Promise.withResolvers<never>();
  let failure = cancelled.promise;
  failure.catch(() => {});

  const stop = async () => {
    await Promise.all(crew.map((each) => each.stop()));
    desk.close();
  };

  function awaited(number: number): Awaited {
    const found = orders.get(number) ?? { transactions: [], done: 0, check: () => {} };
    orders.set(number, found);
    return found;
  }

  function read(line: string): string | null {
    const sample = readSample(line);
    if (sample === null) return null;
    if ('rubbish' in sample) return sample.rubbish;
    const order = awaited(sample.order);
    if (sample.type === 'transaction') order.transactions.push(sample);
    else {
      order.done++;
      order.check();
    }
    return null;
  }

  /** Rejects as well when k6 fails, takes too long, or the run is cancelled. */
  async function inTime<T>(work: Promise<T>, ms: number, late: string): Promise<T> {
    const over = new AbortController();
    const tooLate = pause(ms, undefined, { signal: over.signal }).then(() => {
      throw problem('k6_failed', late);
    });
    tooLate.catch(() => {});
    try {
      return await Promise.race([work, failure, tooLate]);
    } catch (error) {
      signal?.throwIfAborted();
      await stop();
      throw error;
    } finally {
      over.abort();
    }
  }

  const cancel = () => {
    cancelled.reject(signal?.reason);
    void stop();
  };
  try {
    signal?.throwIfAborted();
    signal?.addEventListener('abort', cancel, { once: true });
    const script = scriptFor(desk.address);
    for (let index = 0; index < processes; index++) {
      crew.push(await startK6(script, { segment: { index, of: processes }, ca }, read));
    }
    failure = Promise.race([...crew.map(({ failed }) => failed), cancelled.promise]);
    failure.catch(() => {});
    await inTime(desk.waiting(users), startMs, `k6 did not start its virtual users in ${startMs / 1000} s.`);
  } catch (error) {
    signal?.removeEventListener('abort', cancel);
    await stop();
    throw error;
  }
  const pids = crew.map(({ pid }) => pid);
  ledger.observe(pids);

  return {
    pids,
    readCpuUs: () => ledger.observe(pids),
    async perform(order, expectedMs) {
      const cpuBeforeUs = ledger.observe(pids);
      const fromMs = performance.now();
      const ms = expectedMs + graceMs;
      const number = await inTime(desk.give(order), ms, `k6 did not finish in ${Math.round(ms / 1000)} s.`);
      const elapsedUs = (performance.now() - fromMs) * 1000;
      return { number, elapsedUs, cpuUs: ledger.observe(pids) - cpuBeforeUs };
    },
    async transactions(number, users) {
      const order = awaited(number);
      const complete = new Promise<void>((resolve) => {
        order.check = () => order.done >= users && resolve();
        order.check();
      });
      await inTime(complete, graceMs, `k6 wrote no samples for ${graceMs / 1000} s.`);
      orders.delete(number);
      return order.transactions;
    },
    async stop() {
      signal?.removeEventListener('abort', cancel);
      await stop();
    },
  };
}
