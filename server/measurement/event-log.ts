import { type LabEvent, labEventSchema } from '../../shared/lab-progress.ts';
import { type RunEvent, runEventSchema } from '../../shared/progress.ts';
import { type LoggedEvent, type StoredLogs, storedLogs } from '../database/events.ts';
import type { Database } from '../database/open-database.ts';
import { type Follower, startFollower } from './follow-events.ts';

/** The logs of all runs, or of all labs: appended to by the conductor, followed by whoever watches. */
export type EventLog<Event> = {
  /** Stores the event, then tells the followers; in the order of the calls. Resolves with the event's id. */
  append(runId: string, event: Event): Promise<number>;
  /** What is stored after an id. */
  list(runId: string, afterId: number): Promise<LoggedEvent<Event>[]>;
  /**
   * Replays what came after an id, then goes on live: in order, nothing twice, nothing left out, up to `end`. A listener
   * that returns a promise is waited for. `onClose` is called once: null after `end`, else what went wrong.
   * Returns a function that stops it.
   */
  follow(
    runId: string,
    afterId: number,
    onEvent: (logged: LoggedEvent<Event>) => void | Promise<void>,
    onClose?: (error: unknown) => void,
  ): () => void;
};

export function openEventLog<Event extends { type: string }>(stored: StoredLogs<Event>): EventLog<Event> {
  const followers = new Map<string, Set<Follower<Event>>>();
  const appending = new Map<string, Promise<void>>();

  async function appendNext(runId: string, event: Event): Promise<number> {
    const id = await stored.append(runId, event);
    for (const follower of followers.get(runId) ?? []) follower.hear({ id, event });
    return id;
  }

  return {
    append(runId, event) {
      const before = appending.get(runId) ?? Promise.resolve();
      const appended = before.then(() => appendNext(runId, event));
      const settled = appended
        .catch(() => {})
        .then(() => {
          if (appending.get(runId) === settled) appending.delete(runId);
        });
      appending.set(runId, settled);
      return appended;
    },

    list: stored.list,

    follow(runId, afterId, onEvent, onClose = () => {}) {
      const ofRun = followers.get(runId) ?? new Set();
      followers.set(runId, ofRun);
      const forget = () => {
        ofRun.delete(follower);
        if (ofRun.size === 0 && followers.get(runId) === ofRun) followers.delete(runId);
      };
      const follower = startFollower({
        afterId,
        readAfter: (id) => stored.list(runId, id),
        onEvent,
        onClose: (error) => {
          forget();
          onClose(error);
        },
      });
      ofRun.add(follower);
      return () => {
        forget();
        follower.stop();
      };
    },
  };
}
export type RunEventLog = EventLog<RunEvent>;

export function openRunEventLog(database: Database): RunEventLog {
  return openEventLog(storedLogs(database, 'events', runEventSchema));
}

export type LabEventLog = EventLog<LabEvent>;

export function openLabEventLog(database: Database): LabEventLog {
  return openEventLog(storedLogs(database, 'labEvents', labEventSchema));
}
