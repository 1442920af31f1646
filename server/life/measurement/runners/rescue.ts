import { type ProblemError, problem } from '../../../../shared/base/problem.ts';
import { type Assignment, giveBack, takeFrom } from '../../database/assignments.ts';
import type { Given } from '../given.ts';
import { secretsLost, serverStopped } from '../run/take-up.ts';

/** So often a measurement is taken up again: one that ends each runner that has it would end them all. */
const mostTaken = 3;

/** `session` and `version` are those of this process. */
type Parts<House> = Pick<Given<House>, 'database' | 'lives' | 'kindOf'> & {
  session: string;
  version: string;
};

/**
 * Takes a measurement from a runner that was lost. One that waited, and one of a kind that can go on, wait for the next runner;
 * any other is interrupted, with everything that was finished.
 *
 * @param runner its name; null where nobody knows it any more
 */
export async function rescue<House>(
  { database, lives, kindOf, session, version }: Parts<House>,
  { id, kind: name, session: from, state, labels, taken }: Assignment,
  runner: string | null,
): Promise<void> {
  // Before it is taken: a process of a later version may be the only one that knows it.
  const kind = kindOf(name);
  const record = await takeFrom(database, id, from, session);
  if (record === null) return;
  const secrets = kind.secretsOf(
    kind.requestSchema.parse(record.request),
    kind.factsSchema.parse(record.facts),
  );
  const canGoOn = state === 'queued' || (kind.resumable === true && taken < mostTaken);
  if (canGoOn && secrets.length === 0) return giveBack(database, record, { version, labels });
  const lost = state === 'queued' ? secretsLost(secrets) : runnerLost(runner);
  await lives.endTaken(record, 'interrupted', lost);
}

function runnerLost(name: string | null): ProblemError {
  if (name === null) return serverStopped();
  return problem('run_interrupted', `The runner ${name} stopped answering while it was measuring.`);
}
