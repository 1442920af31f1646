import { ProblemError } from '../../../../shared/base/problem.ts';
import { isOver, type LifeEvent } from '../../../../shared/measurement/measurement.ts';
import { listEvents } from '../../database/events.ts';
import { findState } from '../../database/measurements.ts';
import type { Database } from '../../database/open-database.ts';
import type { EventLog } from '../run/event-log.ts';
import { isEnd, withEnd } from '../run/with-end.ts';

/** The logs of what other processes measure, while somebody here watches: read from the database whenever it says that they grew. */
export type Mirrors = {
  /** Resolves when the log can be followed; at once for what is over. */
  open(id: string): Promise<void>;
  /** Its place in the queue, which no log has, for who follows it from now on; null where it does not wait. */
  greetingOf(id: string): LifeEvent | null;
  close(): void;
};

type Parts = {
  database: Database;
  log: EventLog;
  /** Whether this process measures it. */
  isHere(id: string): boolean;
  placesOf(ids: readonly string[]): Promise<ReadonlyMap<string, number>>;
};

/** How often they are read without being told: a signal can be lost with its connection. */
const pollMs = 2_000;

type Mirror = {
  last: number;
  place: number | null;
  reading: Promise<void>;
  opened: boolean;
  /** The first reading, for all who come while it goes on: a thousand may reconnect at once. */
  opening: Promise<void> | null;
  /** How many are about to follow it: it is not forgotten before they do. */
  expected: number;
};

export function openMirrors({ database, log, isHere, placesOf }: Parts): Mirrors {
  const mirrors = new Map<string, Mirror>();

  async function read(id: string, mirror: Mirror): Promise<void> {
    // Its own log goes on.
    if (isHere(id)) return void mirrors.delete(id);
    // Asked before the events: what it ended with is among them then, or was never told.
    const found = await findState(database, id);
    const events = await listEvents(database, id, mirror.last);
    if (isHere(id)) return void mirrors.delete(id);
    const over = found === null || isOver(found.state);
    const told = over ? withEnd(events, found?.state ?? 'incomplete', mirror.last) : events;
    mirror.last = told.at(-1)?.id ?? mirror.last;
    if (mirror.opened) log.extend(id, told);
    else if (!over) {
      log.open(id, told);
      mirror.opened = true;
    }
    if (found?.state !== 'queued') mirror.place = null;
    if (over || told.some(({ body }) => isEnd(body))) forget(id);
    else if (found.state === 'queued') await tellPlace(id, mirror);
  }

  async function tellPlace(id: string, mirror: Mirror): Promise<void> {
    const place = (await placesOf([id])).get(id) ?? null;
    if (place === mirror.place) return;
    mirror.place = place;
    const told = greetingOf(id);
    if (told !== null) log.mention(id, told);
  }

  function greetingOf(id: string): LifeEvent | null {
    const queuePosition = mirrors.get(id)?.place ?? null;
    return queuePosition === null ? null : { type: 'state', state: 'queued', queuePosition };
  }

  function forget(id: string): void {
    mirrors.delete(id);
    log.close(id);
  }

  /** One after the other, so that no event comes twice. */
  function readNext(id: string, mirror: Mirror): Promise<void> {
    const next = mirror.reading.then(() => (mirrors.get(id) === mirror ? read(id, mirror) : undefined));
    mirror.reading = next.catch((error: unknown) => {
      if (error instanceof ProblemError) {
        log.mention(id, { type: 'stalled', detail: error.problem.detail });
      }
    });
    return next;
  }

  function poll(): void {
    for (const [id, mirror] of mirrors) {
      if (!mirror.opened || mirror.expected > 0 || log.isWatched(id) || isHere(id))
        void readNext(id, mirror).catch(() => {});
      else forget(id);
    }
  }

  const timer = setInterval(poll, pollMs);
  timer.unref();
  const unlisten = database.shared?.signals.listen(({ about, id }) => {
    const mirror = mirrors.get(id);
    if (about === 'events' && mirror !== undefined) void readNext(id, mirror).catch(() => {});
    if (about === 'queue' || about === 'missed') poll();
  });
  return {
    async open(id) {
      if (isHere(id) || mirrors.get(id)?.opened === true) return;
      const mirror = mirrors.get(id) ?? newMirror();
      mirrors.set(id, mirror);
      mirror.expected += 1;
      try {
        mirror.opening ??= readNext(id, mirror);
        await mirror.opening;
      } catch (error) {
        mirrors.delete(id);
        throw error;
      } finally {
        mirror.expected -= 1;
      }
    },
    greetingOf,
    close() {
      clearInterval(timer);
      unlisten?.();
    },
  };
}

function newMirror(): Mirror {
  const reading = Promise.resolve();
  return { last: 0, place: null, reading, opened: false, opening: null, expected: 0 };
}
