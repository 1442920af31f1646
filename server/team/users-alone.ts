import { lockDataDirectory } from '../database/data-directory.ts';
import { type DatabaseOptions, openDatabase } from '../database/open-database.ts';
import { openUsers } from './open-users.ts';
import type { Users } from './team.ts';

/** Lends the users of a database that no server has open. Throws data_directory_in_use. */
export async function withUsersAlone<Result>(
  place: DatabaseOptions,
  use: (users: Users) => Promise<Result>,
): Promise<Result> {
  const lock = lockDataDirectory(place.directory);
  try {
    const database = await openDatabase(place);
    try {
      return await use(openUsers(database));
    } finally {
      await database.close();
    }
  } finally {
    lock.release();
  }
}
