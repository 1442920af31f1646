import { lockDataDirectory } from '../database/data-directory.ts';
import { type DatabaseOptions, openDatabase } from '../database/open-database.ts';
import { localActor } from './local-actor.ts';
import { openKeys } from './open-keys.ts';
import { openUsers } from './open-users.ts';
import type { KeysOfActor, Users } from './team.ts';

/** Lends users and API keys of a database that no server has open. Throws data_directory_in_use. */
export async function withTeamAlone<Result>(
  place: DatabaseOptions,
  use: (team: { users: Users; keys: KeysOfActor }) => Promise<Result>,
): Promise<Result> {
  const lock = lockDataDirectory(place.directory);
  try {
    const database = await openDatabase(place);
    try {
      const keys = openKeys(database);
      return await use({
        users: openUsers(database),
        keys: {
          list: () => keys.list(localActor),
          create: (key) => keys.create(key, localActor),
          remove: (id) => keys.remove(id, localActor),
        },
      });
    } finally {
      await database.close();
    }
  } finally {
    lock.release();
  }
}
