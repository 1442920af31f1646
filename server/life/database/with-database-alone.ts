import { lockDataDirectory } from './data-directory.ts';
import { type Database, type DatabaseOptions, openDatabase } from './open-database.ts';

/** Lends the database of a data directory that no server has. Throws data_directory_in_use. */
export async function withDatabaseAlone<Result>(
  place: DatabaseOptions,
  use: (database: Database) => Promise<Result>,
): Promise<Result> {
  const lock = lockDataDirectory(place.directory);
  try {
    const database = await openDatabase(place);
    if (database.notice !== null) process.stderr.write(`${database.notice}\n`);
    return await use(database).finally(database.close);
  } finally {
    lock.release();
  }
}
