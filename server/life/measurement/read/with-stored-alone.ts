import { problem } from '../../../../shared/base/problem.ts';
import { lockDataDirectory } from '../../database/data-directory.ts';
import { readDocument } from '../../database/documents.ts';
import { findState } from '../../database/measurements.ts';
import { type Database, type DatabaseOptions, openDatabase } from '../../database/open-database.ts';
import { findKnown } from '../list/find-known.ts';

/** Reads the document of a measurement that is over, as it was stored. Throws run_not_found, run_deleted, run_binned, run_unfinished. */
export type ReadStored = (id: string) => Promise<string>;

/** Where no server has the data directory. Nothing that waits in it is taken up, so nothing is measured. */
export async function withStoredAlone<Result>(
  place: DatabaseOptions,
  use: (read: ReadStored) => Promise<Result>,
): Promise<Result> {
  const lock = lockDataDirectory(place.directory);
  try {
    const database = await openDatabase(place);
    try {
      return await use((id) => readStored(database, id));
    } finally {
      await database.close();
    }
  } finally {
    lock.release();
  }
}

async function readStored(database: Database, id: string): Promise<string> {
  const { state } = await findKnown(database, id, () => findState(database, id));
  const stored = await readDocument(database, id);
  if (stored === null) throw problem('run_unfinished', `It is ${state}.`);
  return await stored.unpack();
}
