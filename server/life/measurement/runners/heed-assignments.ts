import { problem } from '../../../../shared/base/problem.ts';
import { type Assignment, giveBack, takeFrom, type Wish } from '../../database/assignments.ts';
import type { NewRunner } from '../../database/runners.ts';
import type { Given } from '../given.ts';
import { loadStopped } from '../queue/stop-switch.ts';
import { beatMs } from './leases.ts';

type Parts<House> = Pick<Given<House>, 'database' | 'queue' | 'lives'> & { runner: NewRunner };

const missedMs = 2 * beatMs;

/** Returns what a runner does about all that the database says it has: wishes are fulfilled, and what was lost is ended or given back. */
export function openHeeding<House>({
  database,
  queue,
  lives,
  runner,
}: Parts<House>): (held: readonly Assignment[]) => Promise<void> {
  /** What is said to be measured here and is not, since when. */
  const missing = new Map<string, number>();

  /** The answer of the database that brought it was lost: another one is to take it, unless it comes late. */
  async function missHere({ id, labels }: Assignment): Promise<void> {
    const now = performance.now();
    const since = missing.get(id) ?? now;
    missing.set(id, since);
    if (now - since < missedMs) return;
    missing.delete(id);
    const record = await takeFrom(database, id, runner.session, runner.session);
    if (record !== null) await giveBack(database, record, { ...runner, labels });
  }

  function fulfil(id: string, wish: Wish): void {
    const why = wish === 'stop' ? loadStopped() : problem('run_cancelled', 'It was canceled.');
    if (wish === 'discard') lives.of(id)?.discard();
    if (lives.endWaiting(id, why) === null) queue.abort(id, why);
  }

  return async function heed(held) {
    for (const each of held) {
      const life = lives.of(each.id);
      if (life === undefined) await missHere(each);
      else {
        missing.delete(each.id);
        if (each.wish !== null && life.ended() === null) fulfil(each.id, each.wish);
      }
    }
    const { running } = queue.status();
    if (running !== null && lives.of(running)?.ended() === null && !held.some(({ id }) => id === running)) {
      queue.abort(running, problem('claim_lost', 'Another runner has taken this measurement.'));
    }
  };
}
