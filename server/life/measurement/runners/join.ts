import { setTimeout as pause } from 'node:timers/promises';
import { type ProblemError, problem } from '../../../../shared/base/problem.ts';
import type { Database } from '../../database/open-database.ts';
import { listRunnerRows, type NewRunner, registerRunner } from '../../database/runners.ts';
import { withPatience } from '../run/with-patience.ts';
import { beatMs, leaseMs } from './leases.ts';

/**
 * Takes the name of a runner. One that was stopped gives it up at once, one that was killed when its beat has stood still for the
 * length of a lease. Throws runner_name_taken where another one beats under it, and the reason of the signal.
 */
export async function join(
  database: Database,
  runner: NewRunner,
  { signal, onProblem }: { signal: AbortSignal; onProblem?(failure: ProblemError): void },
): Promise<void> {
  const patience = { signal, ...(onProblem === undefined ? {} : { onProblem }) };
  const find = async () =>
    (await withPatience(() => listRunnerRows(database), patience)).find(({ name }) => name === runner.name);
  const take = (from: string | null) =>
    withPatience(() => registerRunner(database, runner, from, Date.now()), patience);

  const first = await find();
  if (first === undefined || first.leftAt !== null) {
    if (await take(first?.session ?? null)) return;
    throw taken(runner.name);
  }
  for (let waited = 0; waited < leaseMs; waited += beatMs) {
    await pause(beatMs, undefined, { signal });
    const now = await find();
    if (now === undefined || now.leftAt !== null) break;
    if (now.session !== first.session || now.beat !== first.beat) throw taken(runner.name);
  }
  if (!(await take((await find())?.session ?? null))) throw taken(runner.name);
}

function taken(name: string): ProblemError {
  return problem('runner_name_taken', `Another runner already has the name ${name}.`);
}
