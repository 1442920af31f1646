import type { LifeEvent } from '../../../../shared/measurement/measurement.ts';
import type { AnyEvent, ToldEvent } from '../../../kinds/told-event.ts';
import type { StoredEvent } from '../../database/events.ts';
import { type Claim, isClaimLost } from '../../database/fenced.ts';
import { type Follower, startFollower } from './follow-events.ts';
import { isPassing } from './with-patience.ts';

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
  /** What comes after the log was closed is not kept. */
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
        // What the store cannot take now is stored with what comes next, or by `flush`.
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
