import { setTimeout as pause } from 'node:timers/promises';
import { problem } from '../../../shared/problem.ts';
import type { DeskPlace } from '../../policy/k6-cluster.ts';
import { TreeCpu } from '../../process/tree-cpu.ts';
import { type Order, openOrderDesk } from './order-desk.ts';
import { readPosted, type Sample, type Transaction } from './read-sample.ts';

export type Performed = { number: number; elapsedUs: number; cpuUs: number };

/** Where the processes of a crew run, and how they are started there. */
export type CrewPlace = {
  /** Null for loopback. */
  desk: DeskPlace | null;
  /** How long all virtual users may take to start. */
  startMs: number;
  /**
   * @param control where virtual users ask for orders
   * @param take of each sample; rejects `failed` with a reason in a few words, for what k6 would not have written
   */
  start(control: string, take: (sample: Sample | { rubbish: string }) => string | null): Promise<Hands>;
  /** Of what was sent, with each order. Throws when it is more than the target takes. */
  spend?(transactions: readonly Transaction[]): void;
  /** Of whoever asks for orders. Throws for one that is no k6 we know. */
  meet?(userAgent: string): void;
};

/** What was started there. */
export type Hands = {
  /** Of this machine. */
  pids: readonly number[];
  /** Rejects when one ends, or writes what is none of its samples; never resolves. */
  failed: Promise<never>;
  /** What is known of those that have not started yet, as the end of a sentence. */
  describe?(): string;
  /** Resolves when all are gone. May be called again. */
  stop(): Promise<void>;
};

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

/** Throws k6_failed; rejects with the signal's reason. */
export async function startCrew(
  place: CrewPlace,
  { users, signal }: { users: number; signal: AbortSignal | undefined },
): Promise<Crew> {
  const orders = new Map<number, Awaited>();
  const trouble = Promise.withResolvers<never>();
  trouble.promise.catch(() => {});
  const desk = await openOrderDesk(place.desk, hear);
  let hands: Hands | null = null;
  let failure = trouble.promise;

  /** Without a desk no virtual user does anything more. */
  const stop = async () => {
    const stopped = hands?.stop();
    desk.close();
    await stopped;
  };

  function awaited(number: number): Awaited {
    const found = orders.get(number) ?? { transactions: [], done: 0, check: () => {} };
    orders.set(number, found);
    return found;
  }

  function take(sample: Sample | { rubbish: string }): string | null {
    if ('rubbish' in sample) return sample.rubbish;
    const order = awaited(sample.order);
    if (sample.type === 'transaction') order.transactions.push(sample);
    else {
      order.done++;
      order.check();
    }
    return null;
  }

  function hear(line: string, userAgent: string): void {
    try {
      place.meet?.(userAgent);
    } catch (error) {
      trouble.reject(error);
    }
    const reason = line === '' ? null : take(readPosted(line));
    if (reason !== null) trouble.reject(problem('k6_failed', `k6 sent ${reason}: “${line.slice(0, 80)}”.`));
  }

  /** Rejects as well when k6 fails, takes too long, or the run is cancelled. */
  async function inTime<T>(work: Promise<T>, ms: number, late: () => string): Promise<T> {
    const over = new AbortController();
    const tooLate = pause(ms, undefined, { signal: over.signal }).then(() => {
      throw problem('k6_failed', late());
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
    trouble.reject(signal?.reason);
    void stop();
  };
  try {
    signal?.throwIfAborted();
    signal?.addEventListener('abort', cancel, { once: true });
    hands = await place.start(desk.address, take);
    failure = Promise.race([hands.failed, trouble.promise]);
    failure.catch(() => {});
    const { describe = () => '' } = hands;
    await inTime(
      desk.waiting(users),
      place.startMs,
      () => `k6 did not start its virtual users in ${place.startMs / 1000} s${describe()}.`,
    );
  } catch (error) {
    signal?.removeEventListener('abort', cancel);
    await stop();
    throw error;
  }
  const { pids } = hands;
  const cpu = new TreeCpu(pids);

  return {
    pids,
    readCpuUs: () => cpu.readUs(),
    async perform(order, expectedMs) {
      const cpuBeforeUs = cpu.readUs();
      const fromMs = performance.now();
      const ms = expectedMs + graceMs;
      const number = await inTime(
        desk.give(order),
        ms,
        () => `k6 did not finish in ${Math.round(ms / 1000)} s.`,
      );
      const elapsedUs = (performance.now() - fromMs) * 1000;
      return { number, elapsedUs, cpuUs: cpu.readUs() - cpuBeforeUs };
    },
    async transactions(number, users) {
      const order = awaited(number);
      const complete = new Promise<void>((resolve) => {
        order.check = () => order.done >= users && resolve();
        order.check();
      });
      await inTime(complete, graceMs, () => `k6 wrote no samples for ${graceMs / 1000} s.`);
      orders.delete(number);
      place.spend?.(order.transactions);
      return order.transactions;
    },
    async stop() {
      signal?.removeEventListener('abort', cancel);
      await stop();
    },
  };
}
