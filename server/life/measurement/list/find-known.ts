import { problem } from '../../../../shared/base/problem.ts';
import { binMs } from '../../../../shared/measurement/bin.ts';
import { findBinned } from '../../database/bin.ts';
import { isBuried } from '../../database/measurements.ts';
import type { Database } from '../../database/open-database.ts';

type Find<Found> = () => Promise<Found | null>;

/** What is found of a measurement, unless it is in the bin. Throws run_not_found, run_deleted, run_binned. */
export async function findKnown<Found>(database: Database, id: string, find: Find<Found>): Promise<Found> {
  const found = await findStored(database, id, find);
  const deletedAt = await findBinned(database, id);
  if (deletedAt === null) return found;
  throw problem(
    'run_binned',
    `It was deleted on ${dayOf(deletedAt)} and can be restored until ${dayOf(deletedAt + binMs)}.`,
  );
}

/** The same, in the bin or not. */
export async function findStored<Found>(database: Database, id: string, find: Find<Found>): Promise<Found> {
  const found = await find();
  if (found !== null) return found;
  if (await isBuried(database, id)) throw problem('run_deleted', 'It was deleted.');
  throw problem('run_not_found', `No measurement has the ID ${id}.`);
}

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

function dayOf(unixMs: number): string {
  return day.format(unixMs);
}
