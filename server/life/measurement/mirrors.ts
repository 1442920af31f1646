import { ProblemError } from '../../../shared/base/problem.ts';
import {
  isOver,
  type LifeEvent,
  type ProgressEvent,
  progressEventSchema,
} from '../../../shared/measurement/measurement.ts';
import { listEvents } from '../database/events.ts';
import { findState } from '../database/measurements.ts';
import { jsonText } from '../database/packed-text.ts';
import type { Given } from './create.ts';
import { isEnd, withEnd } from './event-log.ts';

/**
 * The logs of measurements in other processes, while somebody here watches: read from the database whenever it signals that they grew.
 * Progress is in no table, only in these signals.
 */
type Mirrors = {
  /** Resolves when the log can be followed; at once for what is over. */
  open(id: string): Promise<void>;
  /** Its place in the queue, which no log has, for who follows it from now on; null where it does not wait. */
  greetingOf(id: string): LifeEvent | null;
  /** Latest progress of a measurement; null before the first. */
  progressOf(id: string): ProgressEvent | null;
  close(): void;
};

/** How often they are read without being told: a signal can be lost with its connection. */
const pollMs = 2_000;
/** Far more than there are runners. */
const mostKnown = 1_000;

export function openMirrors(parts: MirrorParts): Mirrors {
  const { database, log, isHere } = parts;
  const mirrors = new Map<string, Mirror>();
  const latest = openLatest();

  async function read(id: string, mirror: Mirror): Promise<void> {
    if (mirrors.get(id) !== mirror) return;
    const found = await readMirror(parts, id, mirror);
    if (found === 'here') mirrors.delete(id);
    if (found === 'over') forget(id);
  }

  function forget(id: string): void {
    mirrors.delete(id);
    log.close(id);
  }

  /** One after the other, so that no event comes twice. */
  function readNext(id: string, mirror: Mirror): Promise<void> {
    const next = mirror.reading.then(() => read(id, mirror));
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
  const unlisten = database.shared?.signals.listen((signal) => {
    const { about, id } = signal;
    const mirror = mirrors.get(id);
    if (about === 'progress') {
      const progress = latest.take(id, signal.text);
      if (progress !== null && !isHere(id)) log.mention(id, progress);
    }
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
    greetingOf: (id) => greetingOf(mirrors.get(id) ?? { place: null }),
    progressOf: latest.of,
    close() {
      clearInterval(timer);
      unlisten?.();
    },
  };
}

/** Latest progress of each measurement. */
function openLatest() {
  const latest = new Map<string, ProgressEvent>();
  return {
    of: (id: string): ProgressEvent | null => latest.get(id) ?? null,
    take(id: string, text: string): ProgressEvent | null {
      // A runner of a later version may use another format.
      const progress = jsonText(progressEventSchema).safeParse(text).data;
      if (progress === undefined) return null;
      latest.delete(id);
      latest.set(id, progress);
      const [oldest = id] = latest.keys();
      if (latest.size > mostKnown) latest.delete(oldest);
      return progress;
    },
  };
}

function newMirror(): Mirror {
  const reading = Promise.resolve();
  return { last: 0, place: null, reading, opened: false, opening: null, expected: 0 };
}

/** How far the log of a measurement that another process measures was read. */
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

type MirrorParts = Pick<Given<unknown>, 'database' | 'log'> & {
  /** Whether this process measures it. */
  isHere(id: string): boolean;
  placesOf(ids: readonly string[]): Promise<ReadonlyMap<string, number>>;
};

/** Reads what came since, and tells it: `here` where this process measures it by now, so its own log goes on. */
async function readMirror(
  { database, log, isHere, placesOf }: MirrorParts,
  id: string,
  mirror: Mirror,
): Promise<'goes_on' | 'over' | 'here'> {
  if (isHere(id)) return 'here';
  // Asked before the events: what it ended with is among them then, or was never told.
  const found = await findState(database, id);
  const events = await listEvents(database, id, mirror.last);
  if (isHere(id)) return 'here';
  const over = found === null || isOver(found.state);
  const told = over ? withEnd(events, found?.state ?? 'incomplete', mirror.last) : events;
  mirror.last = told.at(-1)?.id ?? mirror.last;
  if (mirror.opened) log.extend(id, told);
  else if (!over) {
    log.open(id, told);
    mirror.opened = true;
  }
  if (found?.state !== 'queued') mirror.place = null;
  if (over || told.some(({ body }) => isEnd(body))) return 'over';
  if (found.state !== 'queued') return 'goes_on';
  const place = (await placesOf([id])).get(id) ?? null;
  if (place === mirror.place) return 'goes_on';
  mirror.place = place;
  const greeting = greetingOf(mirror);
  if (greeting !== null) log.mention(id, greeting);
  return 'goes_on';
}

/** Its place in the queue, which no log has; null where it does not wait. */
function greetingOf({ place: queuePosition }: Pick<Mirror, 'place'>): LifeEvent | null {
  return queuePosition === null ? null : { type: 'state', state: 'queued', queuePosition };
}

/**
 * Who of those that should beat does not. A session has lapsed when its beat stood still for the length of a lease by the clock of
 * whoever looks, so clocks of machines need not agree. A look that comes late proves nothing: the database was away, or this process.
 */
export type Leases = {
  /** @param beats of all sessions that are known; `left` of those that said that they stop */
  observe(beats: ReadonlyMap<string, number | 'left'>, sessions: Iterable<string>, now: number): void;
  hasLapsed(session: string, now: number): boolean;
};

export const beatMs = 2_000;
export const leaseMs = 10_000;
const latestLookMs = 2.5 * beatMs;

export function openLeases(): Leases {
  let seen = new Map<string, { beat: number | 'left' | 'missing'; since: number }>();
  let lookedAt: number | null = null;

  return {
    observe(beats, sessions, now) {
      if (lookedAt !== null && now - lookedAt > latestLookMs) seen = new Map();
      lookedAt = now;
      seen = new Map(
        [...new Set([...beats.keys(), ...sessions])].map((session) => {
          const beat = beats.get(session) ?? 'missing';
          const before = seen.get(session);
          return [session, before?.beat === beat ? before : { beat, since: now }];
        }),
      );
    },
    hasLapsed(session, now) {
      const found = seen.get(session);
      if (found === undefined) return false;
      return found.beat === 'left' || now - found.since >= leaseMs;
    },
  };
}
