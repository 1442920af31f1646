import { problem } from '../../shared/problem.ts';
import type { Database } from '../database/open-database.ts';
import { findRun, isBuried, type RunRecord } from '../database/runs.ts';

/** Throws run_deleted, run_not_found. */
export async function findKnownRun(database: Database, id: string): Promise<RunRecord> {
  const run = await findRun(database, id);
  if (run !== null) return run;
  if (await isBuried(database, id)) throw problem('run_deleted', `The run ${id} was deleted.`);
  throw problem('run_not_found', `No run has the id ${id}.`);
}
