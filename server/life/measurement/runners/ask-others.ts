import { problem } from '../../../../shared/base/problem.ts';
import {
  type Assignment,
  listAssignments,
  takeFrom,
  type Wish,
  wishFor,
} from '../../database/assignments.ts';
import { signal } from '../../database/signal.ts';
import type { Given } from '../given.ts';
import { loadStopped } from '../queue/stop-switch.ts';

/** `session` is that of this process. */
type Parts<House> = Pick<Given<House>, 'database' | 'lives'> & { session: string };

/** Asks whoever has a measurement to end it; one that nobody has ends here. False when there is none. */
export async function askOther<House>(parts: Parts<House>, id: string, wish: Wish): Promise<boolean> {
  await wishFor(parts.database, id, wish);
  const found = (await listAssignments(parts.database)).find((each) => each.id === id);
  if (found === undefined) return false;
  if (found.state === 'queued' && found.session === null) await endWaiting(parts, found, wish);
  return true;
}

/** Asks all others to stop, and ends what waits; returns how much that was. */
export async function askAllOthers<House>(parts: Parts<House>): Promise<number> {
  const { database, lives, session } = parts;
  await signal(database, database.queries, { about: 'stop', id: session });
  const others = (await listAssignments(database)).filter(({ id }) => lives.of(id) === undefined);
  for (const each of others) {
    await wishFor(database, each.id, 'stop');
    if (each.session === null) await endWaiting(parts, each, 'stop');
  }
  return others.length;
}

/** This process takes it out of the queue itself, if no runner has it yet. */
async function endWaiting<House>(
  { database, lives, session }: Parts<House>,
  { id }: Assignment,
  wish: Wish,
): Promise<void> {
  const record = await takeFrom(database, id, null, session);
  if (record === null) return;
  const canceled = () => problem('run_cancelled', 'It was canceled before it started.');
  const why = wish === 'stop' ? loadStopped() : canceled();
  await lives.endTaken(record, 'incomplete', why, wish === 'discard');
}
