import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { monotonicUs } from '../../base/process/monotonic.ts';

/** A timer knows whole milliseconds, and may fire one late: the rest is looked at. */
const lookedAtMs = 2;
/** What was on its way while this host was stopped is not followed any more. */
const longestLateMs = 1000;
/** An order goes out ahead of its start by a round trip or two. */
const longestAheadMs = 10_000;

/**
 * Until a time on the monotonic clock, µs; undefined for at once. Resolves with how much later it is, µs; null where no time was
 * given. Throws for a time that has long passed.
 */
export async function awaitStart(startAtUs: number | undefined): Promise<number | null> {
  if (startAtUs === undefined) return null;
  const leftMs = () => (startAtUs - monotonicUs()) / 1000;
  if (leftMs() < -longestLateMs) throw new Error('the order came too late');
  if (leftMs() > longestAheadMs) throw new Error('the order is for much later');
  if (leftMs() > lookedAtMs) await pause(leftMs() - lookedAtMs);
  while (leftMs() > 0) await turn();
  return -1000 * leftMs();
}
