import type { Runner } from '../../../../shared/measurement/runner.ts';
import { hasLabels, isHere } from '../../../../shared/measurement/runner-labels.ts';
import { listAssignments } from '../../database/assignments.ts';
import type { Database } from '../../database/open-database.ts';
import { listRunnerRows, type RunnerRow } from '../../database/runners.ts';
import type { Dispatch } from '../queue/dispatch.ts';
import type { Leases } from './leases.ts';

/** Who measures what, and what waits for somebody who is not here. */
export async function showRunners(database: Database, leases: Leases): ReturnType<Dispatch['runners']> {
  const [rows, assignments] = await Promise.all([listRunnerRows(database), listAssignments(database)]);
  const now = performance.now();
  const runners = rows.map((row) => {
    const busy = assignments.find((each) => each.session === row.session)?.id ?? null;
    return shown(row, busy, leases.hasLapsed(row.session, now));
  });
  const here = runners.filter(isHere);
  const waiting = assignments.filter(({ state, session }) => state === 'queued' && session === null);
  const stranded = waiting.filter((each) => !here.some((runner) => hasLabels(runner.labels, each.labels)));
  return { runners, stranded: stranded.map(({ id, labels }) => ({ id, labels })) };
}

function shown(
  { name, labels, version, machine, seenAt, leftAt }: RunnerRow,
  busy: string | null,
  lost: boolean,
) {
  const { runner: _, product: __, sharedMachine: ___, ...rest } = machine;
  return { name, labels, version, machine: rest, state: stateOf(leftAt, lost, busy), seenAt, busy };
}

function stateOf(leftAt: number | null, lost: boolean, busy: string | null): Runner['state'] {
  if (leftAt !== null) return 'left';
  if (lost) return 'lost';
  return busy === null ? 'idle' : 'busy';
}
