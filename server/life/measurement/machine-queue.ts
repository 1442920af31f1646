import { problem } from '../../../shared/base/problem.ts';
import type { HolderKind } from '../../../shared/results/summary.ts';
import { letGo } from '../../base/process/children.ts';
import { newPermalinkId } from './tokens.ts';

type QueueStatus = {
  running: string | null;
  queued: number;
  /** Holder of the machine, and for how long; null if it is free. */
  holder: { kind: HolderKind; forS: number } | null;
};

/** A measurement that waits for the machine, or has it. */
export type Job = {
  id: string;
  kind: HolderKind;
  /** Ends soon after the signal. What it rejects with is told to `onError`. */
  perform(signal: AbortSignal): Promise<void>;
  /** Told when its place in the queue has changed: 1 is next. */
  onPlace(place: number): void;
};

/**
 * One measurement at a time on a machine, of whatever kind: a second one would be the first one's disturbance. The others
 * wait in the order in which they came.
 */
export type MachineQueue = {
  /** Throws queue_full, unless it waited already before this server began. */
  add(job: Job, waitedBefore?: boolean): void;
  /** Throws queue_full, server_closing. */
  demandRoom(): void;
  /** Takes a waiting job out; false when it does not wait. */
  remove(id: string): boolean;
  /** Aborts what is running; false when that is not what runs. */
  abort(id: string, reason: Error): boolean;
  /** Aborts whatever is running; false when nothing is. */
  abortRunning(reason: Error): boolean;
  /** 1 is next; null when it does not wait. */
  placeOf(id: string): number | null;
  status(): QueueStatus;
  /** Tells when nothing runs or waits any more. */
  onFree(listener: () => void): void;
  /** Starts nothing more, aborts what is running, and waits for its end. */
  close(reason: Error): Promise<void>;
};

export const queueLimit = 20;

export function openMachineQueue(onError: (error: unknown) => void): MachineQueue {
  const waiting: Job[] = [];
  let running: {
    id: string;
    kind: HolderKind;
    sinceMs: number;
    controller: AbortController;
    done: Promise<void>;
  } | null = null;
  let closing = false;
  const free: (() => void)[] = [];

  function startNext(): void {
    if (running !== null || closing) return;
    const job = waiting.shift();
    if (job === undefined) return;
    tellPlaces();
    const controller = new AbortController();
    running = { ...job, sinceMs: performance.now(), controller, done: Promise.resolve() };
    running.done = job
      .perform(controller.signal)
      .catch(onError)
      .finally(() => {
        running = null;
        startNext();
        if (running === null) for (const listener of free) listener();
      });
  }

  function tellPlaces(): void {
    for (const [index, job] of waiting.entries()) job.onPlace(index + 1);
  }

  function demandRoom(): void {
    if (closing) throw problem('server_closing', 'The server is shutting down.');
    if (waiting.length < queueLimit) return;
    throw queueFull();
  }

  return {
    demandRoom,
    add(job, waitedBefore = false) {
      if (!waitedBefore) demandRoom();
      waiting.push(job);
      job.onPlace(waiting.length);
      startNext();
    },
    remove(id) {
      const index = waiting.findIndex((job) => job.id === id);
      if (index < 0) return false;
      waiting.splice(index, 1);
      tellPlaces();
      return true;
    },
    abortRunning(reason) {
      running?.controller.abort(reason);
      return running !== null;
    },
    abort(id, reason) {
      if (running?.id !== id) return false;
      running.controller.abort(reason);
      return true;
    },
    placeOf(id) {
      const index = waiting.findIndex((job) => job.id === id);
      return index < 0 ? null : index + 1;
    },
    status: () => ({
      running: running?.id ?? null,
      queued: waiting.length,
      holder: running === null ? null : holderOf(running),
    }),
    onFree: (listener) => void free.push(listener),
    async close(reason) {
      closing = true;
      running?.controller.abort(reason);
      await running?.done;
    },
  };
}

function holderOf({ kind, sinceMs }: { kind: HolderKind; sinceMs: number }): QueueStatus['holder'] {
  return { kind, forS: Math.round((performance.now() - sinceMs) / 1000) };
}

/** @param room places that are left, where that is too few */
export function queueFull(room = 0) {
  return problem('queue_full', {
    detail:
      room > 0
        ? `The queue has room for ${room} more, so not every site can be queued.`
        : `${queueLimit} runs are already waiting.`,
    retryAfterS: 60,
  });
}

/**
 * Does something that is no measurement, and would disturb one. It has the machine as a run has it, but does not wait for it:
 * runs that are asked for meanwhile wait until it has ended. Rejects with machine_busy when something has the machine.
 * Its ID in the queue is shown to every reader as what runs, so it is one that opens nothing.
 *
 */
export async function takeMachine<Result>(
  queue: MachineQueue,
  kind: keyof typeof names,
  act: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const { holder, queued } = queue.status();
  if (holder !== null) {
    throw problem('machine_busy', `${names[kind]} would disturb ${heldBy(holder)}.`);
  }
  if (queued > 0) throw problem('machine_busy', `${names[kind]} would disturb the next run.`);
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  queue.add({
    id: newPermalinkId(),
    kind,
    onPlace: () => {},
    perform: (signal) => letGo(() => act(signal), signal).then(resolve, reject),
  });
  return promise;
}

const names = { dryRun: 'A dry run', recording: 'A browser' } as const;

const holders: Record<HolderKind, string> = {
  ...{ measurement: 'the current run', recording: 'the current recording', dryRun: 'the current dry run' },
};

function heldBy({ kind, forS }: { kind: HolderKind; forS: number }): string {
  const minutes = Math.floor(forS / 60);
  return minutes < 2 ? holders[kind] : `${holders[kind]}, which began ${minutes} min ago`;
}
