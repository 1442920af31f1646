import { lookAgain } from '../look-again.ts';
import type { Schedules } from './schedules.ts';

/** Times are whole minutes, so a look at a small table that often is soon enough, and costs nothing. */
const lookEveryMs = 10_000;

/** Queues what is due, from now until it is stopped, whatever becomes of the clock or of the store meanwhile. */
export function startRepeating(
  schedules: Pick<Schedules, 'measureDue'>,
  onError: (error: unknown) => void,
): { stop(): Promise<void> } {
  const looking = lookAgain(lookEveryMs, onError, () => schedules.measureDue(Date.now()));
  looking.now().catch(onError);
  return looking;
}
