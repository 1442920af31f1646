import { problem } from '../../../../shared/base/problem.ts';
import { readDocument } from '../../database/documents.ts';
import { findState } from '../../database/measurements.ts';
import type { Database, DatabaseOptions } from '../../database/open-database.ts';
import { withDatabaseAlone } from '../../database/with-database-alone.ts';
import { findKnown } from '../list/find-known.ts';

/** Reads the document of a measurement that is over, as it was stored. Throws run_not_found, run_deleted, run_binned, run_unfinished. */
export type ReadStored = (id: string) => Promise<string>;

/** Where no server has the data directory. Nothing that waits in it is taken up, so nothing is measured. */
export function withStoredAlone<Result>(
  place: DatabaseOptions,
  use: (read: ReadStored) => Promise<Result>,
): Promise<Result> {
  return withDatabaseAlone(place, (database) => use((id) => readStored(database, id)));
}

async function readStored(database: Database, id: string): Promise<string> {
  const { state } = await findKnown(database, id, () => findState(database, id));
  const stored = await readDocument(database, id);
  if (stored === null) throw problem('run_unfinished', `It is ${state}.`);
  return await stored.unpack();
}
