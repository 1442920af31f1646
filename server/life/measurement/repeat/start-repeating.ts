import { lookAgain } from '../look-again.ts';
import type { Schedules } from './schedules.ts';

/** Times are whole minutes, so a look at a small table that often is soon enough, and costs nothing. */
const lookEveryMs = 10_000;
/** More than corrections of a clock, which are steps of milliseconds. */
const jumpMs = 60_000;

/** Queues what is due, from now until it is stopped, whatever becomes of the clock or of the store meanwhile. */
export function startRepeating(
  schedules: Pick<Schedules, 'measureDue'>,
  onError: (error: unknown) => void,
): { now(): Promise<void>; stop(): Promise<void> } {
  let before = { wallMs: Date.now(), monotonicMs: performance.now() };
  const looking = lookAgain(lookEveryMs, onError, async () => {
    const now = { wallMs: Date.now(), monotonicMs: performance.now() };
    const expected = before.wallMs + now.monotonicMs - before.monotonicMs;
    before = now;
    await schedules.measureDue(now.wallMs, now.wallMs - expected > jumpMs ? expected : undefined);
  });
  looking.now().catch(onError);
  return looking;
}
