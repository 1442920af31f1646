import type { HolderKind } from '../../../shared/api/server-endpoints.ts';
import { problem } from '../../../shared/base/problem.ts';
import { isOver, type ProgressEvent } from '../../../shared/measurement/measurement.ts';
import type { Labels, Runner } from '../../../shared/measurement/runner.ts';
import type { SecretValues } from '../../../shared/scenario/scenario.ts';
import type { Asker } from '../../../shared/team/audit.ts';
import type { Enroll } from '../database/insert-measurement.ts';
import { findState, listUnfinishedIds, type MeasurementRecord } from '../database/measurements.ts';
import type { Database } from '../database/open-database.ts';
import type { Wish } from '../database/runners.ts';
import type { EventLog } from './event-log.ts';

/** Where a measurement comes from, besides its request. */
export type Origin = {
  by: Asker;
  /** What it is measured for; its token then deletes it. */
  schedule?: { scheduleId: string; deleteTokenHash: string };
};

/** Told what is done to the hosts that a request names. `note` is the address of its result; null where there is none. */
export type NoteLoad = (
  by: Asker,
  what: 'launched' | 'checked',
  request: unknown,
  note: string | null,
) => Promise<void>;

/**
 * The delete tokens of measurements that are not over, for a request that is repeated. A token goes to nobody once its
 * measurement is over, whoever ended it, as idempotency keys may be guessed.
 */
export type DeleteTokens = {
  keep(id: string, token: string): void;
  of(id: string): Promise<string | null>;
  forget(id: string): void;
  /** Forgets those of all that another process has ended. */
  forgetOver(): Promise<void>;
};

export function openDeleteTokens(database: Database): DeleteTokens {
  const tokens = new Map<string, string>();
  return {
    keep: (id, token) => void tokens.set(id, token),
    async of(id) {
      const token = tokens.get(id);
      if (token === undefined) return null;
      const found = await findState(database, id);
      return found === null || isOver(found.state) ? null : token;
    },
    forget: (id) => void tokens.delete(id),
    async forgetOver() {
      // What is made while the store answers is not in its answer.
      const known = [...tokens.keys()];
      if (known.length === 0) return;
      const unfinished = new Set(await listUnfinishedIds(database));
      for (const id of known) if (!unfinished.has(id)) tokens.delete(id);
    },
  };
}

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
        : `${queueLimit} measurements are already waiting.`,
    retryAfterS: 60,
  });
}

/**
 * Where measurements wait, and who measures them: this process, in the order in which they came, or any runner on the database.
 */
export type Dispatch = {
  /**
   * Throws queue_full, server_closing, and as `demandRunner`.
   * @param sites the labels of each measurement that is to be queued
   * @param here whether they need what only this process has
   */
  demandRoom(sites: readonly Labels[], here?: boolean): Promise<void>;
  /** Throws runners_off, runner_unknown, runner_outdated where nobody could measure it. */
  demandRunner(labels: Labels): Promise<void>;
  /** Stores, with a measurement, that it waits. Until it begins, it is taken up by nobody here. */
  enroll(id: string, labels: Labels, here: boolean): Enroll;
  /** After it was stored; once `stopped` is aborted it ends instead. Throws queue_full, server_closing. */
  begin(record: MeasurementRecord, secrets: SecretValues, stopped: AbortSignal): void;
  /** Instead of that, where something speaks against it. */
  withdraw(id: string): void;
  /** As `begin`, for one that was queued before. */
  beginAgain(id: string, stopped: AbortSignal): Promise<void>;
  /** Takes up unfinished measurements that no process has. */
  takeUp(): Promise<void>;
  /** Asks the process that has a measurement to end it. False when there is none. */
  ask(id: string, wish: Wish): Promise<boolean>;
  /** Asks all others to end what they measure, and ends what waits; returns how much that was. */
  askAll(): Promise<number>;
  /** Places in the queue of those that wait: 1 is next. */
  placesOf(ids: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Makes the log of one that another process measures ready to be followed. */
  mirror(id: string): Promise<void>;
  /** As the log says it; null where that is not open. */
  follow: EventLog['follow'];
  /** Latest progress from its runner; null before that, and without runners. */
  progressOf(id: string): ProgressEvent | null;
  /** By the IDs of measurements; null where this process measures alone. */
  runners(): Promise<{
    runners: (Omit<Runner, 'busy'> & { busy: string | null })[];
    /** They wait, and no runner that is here has their labels. */
    stranded: { id: string; labels: Labels }[];
  } | null>;
  /** Takes nothing more. */
  close(): Promise<void>;
};

/** Ends what loads a target without waiting in the queue: checks and probes. */
export type StopSwitch = {
  /** Aborted with load_stopped the next time that all load is stopped. */
  signal(): AbortSignal;
  press(): void;
};

export function openStopSwitch(): StopSwitch {
  let controller = new AbortController();
  return {
    signal: () => controller.signal,
    press() {
      controller.abort(loadStopped());
      controller = new AbortController();
    },
  };
}

export function loadStopped() {
  return problem('load_stopped', 'All load was stopped.');
}
