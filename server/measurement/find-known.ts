import { problem } from '../../shared/problem.ts';
import { isBuried } from '../database/measurements.ts';
import type { Database } from '../database/open-database.ts';

/** What is stored of a measurement. Throws run_not_found, run_deleted where there is nothing. */
export async function findKnown<Found>(
  database: Database,
  id: string,
  find: () => Promise<Found | null>,
): Promise<Found> {
  const found = await find();
  if (found !== null) return found;
  if (await isBuried(database, id)) throw problem('run_deleted', 'It was deleted.');
  throw problem('run_not_found', `No measurement has the ID ${id}.`);
}
