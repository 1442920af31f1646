import { isOver, type LifeEvent } from '../../../../shared/measurement/measurement.ts';
import { listEvents } from '../../database/events.ts';
import { findState } from '../../database/measurements.ts';
import type { Given } from '../given.ts';
import { isEnd, withEnd } from '../run/with-end.ts';

/** How far the log of a measurement that another process measures was read. */
export type Mirror = {
  last: number;
  place: number | null;
  reading: Promise<void>;
  opened: boolean;
  /** The first reading, for all who come while it goes on: a thousand may reconnect at once. */
  opening: Promise<void> | null;
  /** How many are about to follow it: it is not forgotten before they do. */
  expected: number;
};

export type MirrorParts = Pick<Given<unknown>, 'database' | 'log'> & {
  /** Whether this process measures it. */
  isHere(id: string): boolean;
  placesOf(ids: readonly string[]): Promise<ReadonlyMap<string, number>>;
};

/** Reads what came since, and tells it: `here` where this process measures it by now, so its own log goes on. */
export async function readMirror(
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
export function greetingOf({ place: queuePosition }: Pick<Mirror, 'place'>): LifeEvent | null {
  return queuePosition === null ? null : { type: 'state', state: 'queued', queuePosition };
}
