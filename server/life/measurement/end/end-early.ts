import { setTimeout as pause } from 'node:timers/promises';
import { problem } from '../../../../shared/base/problem.ts';
import { isOver } from '../../../../shared/measurement/measurement.ts';
import type { MeasurementSummary } from '../../../../shared/measurement/measurement-summary.ts';
import { findState } from '../../database/measurements.ts';
import type { Given } from '../given.ts';
import { findKnown } from '../list/find-known.ts';
import { loadStopped } from '../queue/stop-switch.ts';

type Parts<House> = Pick<
  Given<House>,
  'database' | 'queue' | 'stopSwitch' | 'lives' | 'dispatch' | 'summaries'
>;

/** Whoever cancels waits so long for a store that fails; then it is stored later. */
const longestStoringMs = 1_000;

/** Ends one, here or at whoever measures it. Without `keep`, it leaves a tombstone. Throws run_over. */
export async function cancelMeasurement<House>(
  { database, queue, lives, dispatch, summaries }: Parts<House>,
  id: string,
  keep: boolean,
): Promise<MeasurementSummary> {
  const life = lives.of(id);
  if (life === undefined) {
    const { state } = await findKnown(database, id, () => findState(database, id));
    if (isOver(state) || !(await dispatch.ask(id, keep ? 'cancel' : 'discard'))) {
      throw problem('run_over', `It has already ended (${state}).`);
    }
    // One that waited may be gone by now.
    return summaries.storedSummary(id);
  }
  const ended = life.ended();
  if (ended !== null) throw problem('run_over', `It has already ended (${ended}) and is being stored.`);
  if (!keep) life.discard();
  const ending = lives.endWaiting(id, problem('run_cancelled', 'It was canceled before it started.'));
  if (ending === null) queue.abort(id, problem('run_cancelled', 'It was canceled.'));
  else await Promise.race([ending, pause(longestStoringMs, undefined, { ref: false })]);
  return summaries.liveSummary(life.line());
}

/** Ends all load, here and on all runners. Returns how many measurements waited or went on. */
export async function stopAll<House>({ queue, stopSwitch, lives, dispatch }: Parts<House>): Promise<number> {
  stopSwitch.press();
  // First what waits: it would begin as soon as the one before it ends.
  const waiting = lives.ids().filter((id) => lives.endWaiting(id, loadStopped()) !== null);
  const here = waiting.length + (queue.abortRunning(loadStopped()) ? 1 : 0);
  return here + (await dispatch.askAll());
}
