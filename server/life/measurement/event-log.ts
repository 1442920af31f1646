import { setTimeout as pause } from 'node:timers/promises';
import { ProblemError } from '../../../shared/base/problem.ts';
import type { ProblemCode } from '../../../shared/base/problem-catalogue.ts';
import type { LifeEvent, MeasurementState } from '../../../shared/measurement/measurement.ts';
import { problemOfError } from '../../base/text/foreign-errors.ts';
import type { AnyEvent, ToldEvent } from '../../kinds/told-event.ts';
import type { StoredEvent } from '../database/events.ts';
import { type Claim, isClaimLost } from '../database/measurements.ts';

/** All or none of them. */
type StoreEvents = (claim: Claim, events: readonly StoredEvent[]) => Promise<void>;

/**
 * The logs of all measurements. That of one that waits or goes on is in memory, from where it is told at once, to however
 * many; it is stored in order behind that, many events at a time where the store is slow.
 */
export type EventLog = {
  /** Begins with the stored events. Earlier watchers stay, unless what they watched has ended. */
  open(measurementId: string, stored: readonly StoredEvent[]): void;
  /** Takes over what another process has stored since, in order. */
  extend(measurementId: string, stored: readonly StoredEvent[]): void;
  isWatched(measurementId: string): boolean;
  /** Drops events that come after the log was closed. */
  append(claim: Claim, event: AnyEvent): void;
  /** Sends an event to current watchers without keeping it. Later watchers also get the latest progress. */
  mention(measurementId: string, event: AnyEvent): void;
  /** Resolves when all that was appended is stored; rejects with what the store says. May be called again. */
  flush(measurementId: string): Promise<void>;
  /** Forgets a log. Who watches still gets what it held of one that has ended; of any other they are to ask again. */
  close(measurementId: string): void;
  /** Null when no log is open, as the measurement is over. A greeting is told to this one alone, and not kept. */
  follow(
    measurementId: string,
    afterId: number,
    listener: Listener,
    greeting?: LifeEvent | null,
  ): (() => void) | null;
};

export type Listener = {
  /** A promise is waited for before the next event. */
  onEvent(event: ToldEvent): void | Promise<void>;
  /** After `end`. */
  onEnd(): void;
};

type OpenLog = {
  events: ToldEvent[];
  /** How many of them are stored. */
  stored: number;
  followers: Set<Follower>;
  /** The latest progress, which is not among the events. */
  progress: ToldEvent | null;
  writing: Promise<void>;
  claim: Claim | null;
};

export function openEventLog(store: StoreEvents, onError: (error: unknown) => void): EventLog {
  const logs = new Map<string, OpenLog>();

  function known(measurementId: string): OpenLog {
    const log = logs.get(measurementId);
    if (log === undefined) throw new Error(`the log of ${measurementId} is not open`);
    return log;
  }

  return {
    open(measurementId, stored) {
      const before = logs.get(measurementId);
      if (before !== undefined && !hasEnded(before)) return extend(before, stored);
      logs.set(measurementId, {
        events: stored.map(told),
        stored: stored.length,
        followers: new Set(),
        progress: null,
        writing: Promise.resolve(),
        claim: null,
      });
    },

    extend(measurementId, stored) {
      const log = logs.get(measurementId);
      if (log !== undefined) extend(log, stored);
    },

    isWatched: (measurementId) => (logs.get(measurementId)?.followers.size ?? 0) > 0,

    append(claim, event) {
      const log = logs.get(claim.id);
      if (log === undefined) return;
      const last = log.events.at(-1)?.id ?? 0;
      log.events.push({ id: last + 1, type: event.type, text: JSON.stringify(event) });
      log.claim = claim;
      for (const follower of log.followers) follower.wake();
      flush(store, log).catch((error) => {
        // Events that the store cannot take now are stored with the next ones, or by `flush`.
        if (!isPassing(error) && !isClaimLost(error)) onError(error);
      });
    },

    mention(measurementId, event) {
      const log = logs.get(measurementId);
      if (log === undefined) return;
      const mentioned = mentionOf(event);
      if (event.type === 'progress') log.progress = mentioned;
      for (const follower of log.followers) follower.mention(mentioned);
    },

    flush: (measurementId) => flush(store, known(measurementId)),

    close(measurementId) {
      const log = logs.get(measurementId);
      logs.delete(measurementId);
      if (log === undefined || hasEnded(log)) return;
      for (const follower of log.followers) follower.end();
    },

    follow(measurementId, afterId, listener, greeting = null) {
      const log = logs.get(measurementId);
      if (log === undefined) return null;
      const follower = startFollower(log.events, afterId, {
        onEvent: listener.onEvent,
        onEnd() {
          log.followers.delete(follower);
          listener.onEnd();
        },
      });
      log.followers.add(follower);
      if (greeting !== null) follower.mention(mentionOf(greeting));
      if (log.progress !== null) follower.mention(log.progress);
      return () => {
        log.followers.delete(follower);
        follower.stop();
      };
    },
  };
}

function hasEnded({ events }: OpenLog): boolean {
  return events.at(-1)?.type === 'end';
}

async function write(store: StoreEvents, log: OpenLog): Promise<void> {
  while (log.stored < log.events.length) {
    const { claim } = log;
    if (claim === null) return;
    const batch = log.events.slice(log.stored);
    await store(
      claim,
      batch.map(({ id, text }) => ({ id: id ?? 0, body: text })),
    );
    log.stored += batch.length;
  }
}

/** One write at a time; a failed one leaves its events to the next. */
function flush(store: StoreEvents, log: OpenLog): Promise<void> {
  const next = log.writing.then(() => write(store, log));
  log.writing = next.catch(() => {});
  return next;
}

function extend(log: OpenLog, stored: readonly StoredEvent[]): void {
  const last = log.events.at(-1)?.id ?? 0;
  log.events.push(...stored.filter(({ id }) => id > last).map(told));
  log.stored = log.events.length;
  for (const follower of log.followers) follower.wake();
}

export function told({ id, body }: StoredEvent): ToldEvent {
  return { id, type: (JSON.parse(body) as { type: string }).type, text: body };
}

function mentionOf(event: AnyEvent): ToldEvent {
  return { id: null, type: event.type, text: JSON.stringify(event) };
}

/** One reader of a log in memory: a place in it, so a slow reader costs nothing and misses nothing. */
type Follower = { wake(): void; mention(event: ToldEvent): void; stop(): void; end(): void };

type EventsListener = { onEvent(event: ToldEvent): void | Promise<void>; onEnd(): void };

/** @param events grows at its end only */
function startFollower(
  events: readonly ToldEvent[],
  afterId: number,
  { onEvent, onEnd }: EventsListener,
): Follower {
  let place = events.findIndex(({ id }) => id !== null && id > afterId);
  if (place < 0) place = events.length;
  // Who claims to have read further than the log goes is still told of its end.
  const last = events.at(-1);
  if (place === events.length && last?.type === 'end') place--;
  /** The latest of each type, because a slow reader needs no older ones. */
  const mentioned = new Map<string, ToldEvent>();
  let open = true;
  let reading = false;

  async function read(): Promise<void> {
    if (reading) return;
    reading = true;
    try {
      for (let event = next(); open && event !== undefined; event = next()) {
        const told = onEvent(event);
        if (told !== undefined) await told;
        if (event.type === 'end') return end();
      }
    } catch {
      // The listener threw, so the viewer has gone.
      end();
    } finally {
      reading = false;
    }
  }

  function next(): ToldEvent | undefined {
    if (place < events.length) return events[place++];
    const [mention] = mentioned.values();
    if (mention !== undefined) mentioned.delete(mention.type);
    return mention;
  }

  function end(): void {
    if (!open) return;
    open = false;
    onEnd();
  }

  queueMicrotask(() => void read());
  return {
    wake: () => void read(),
    mention(event) {
      mentioned.set(event.type, event);
      void read();
    },
    stop() {
      open = false;
    },
    end,
  };
}

/** Problems that pass: a disk has space again, a PostgreSQL comes back, another server ends, a file is put back. */
const passing: readonly ProblemCode[] = [
  'disk_full',
  'database_unavailable',
  'data_directory_unusable',
  'data_directory_in_use',
  'database_gone',
];

const shortestPauseMs = 100;
const longestPauseMs = 2_000;

type Patience = {
  /** Gives up with its reason. */
  signal?: AbortSignal;
  /** Gives up after that long with what went wrong. */
  limitMs?: number;
  /** Told each time it fails, before the next attempt. */
  onProblem?(failure: ProblemError): void;
};

/** Does something with the store again until it works. What does not pass is thrown at once. */
export async function withPatience<Result>(
  act: () => Promise<Result>,
  { signal, limitMs = Number.POSITIVE_INFINITY, onProblem }: Patience = {},
): Promise<Result> {
  const since = performance.now();
  for (let pauseMs = shortestPauseMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * 2)) {
    signal?.throwIfAborted();
    try {
      return await act();
    } catch (error) {
      if (!isPassing(error) || performance.now() - since > limitMs) throw error;
      onProblem?.(error);
      await pause(pauseMs, undefined, { signal, ref: false }).catch(() => signal?.throwIfAborted());
    }
  }
}

export function isPassing(error: unknown): error is ProblemError {
  return error instanceof ProblemError && passing.includes(error.problem.code);
}

const states: Partial<Record<ProblemCode, MeasurementState>> = {
  run_cancelled: 'incomplete',
  load_stopped: 'incomplete',
  limit_reached: 'incomplete',
  run_interrupted: 'interrupted',
  generator_lost: 'interrupted',
  target_unreachable: 'refused',
  tls_not_offered: 'refused',
  not_comparable: 'refused',
  scenario_unfit: 'refused',
  too_few_slots: 'refused',
  target_not_permitted: 'refused',
  too_disturbed: 'refused',
};

/** In which state a measurement ends that something has ended, and what is said of it. */
export function endOf(error: unknown): { state: MeasurementState; problem: ProblemError } {
  if (error instanceof ProblemError) {
    return { state: states[error.problem.code] ?? 'failed', problem: error };
  }
  return {
    state: 'failed',
    problem: problemOfError('internal', 'The run failed unexpectedly', error),
  };
}

/** The rest of the log of one that is over, with its end, even if the log was cut off. */
export function withEnd(
  events: readonly StoredEvent[],
  state: MeasurementState,
  afterId: number,
): readonly StoredEvent[] {
  const last = events.at(-1);
  if (last !== undefined && isEnd(last.body)) return events;
  return [...events, { id: (last?.id ?? afterId) + 1, body: JSON.stringify({ type: 'end', state }) }];
}

export function isEnd(body: string): boolean {
  return (JSON.parse(body) as { type: string }).type === 'end';
}
