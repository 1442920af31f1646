import { program } from '../../../shared/team/team.ts';
import { withDatabaseAlone } from '../../life/database/bin.ts';
import type { Database, DatabaseOptions } from '../../life/database/open-database.ts';
import { addToAuditLog } from '../../life/database/permitted-targets.ts';
import { newPermalinkId } from '../../life/measurement/tokens.ts';
import { openUsers } from './open-team.ts';
import { type KeysOfActor, localActor, openKeys, type Users } from './team-keys.ts';

type TeamAlone = { users: Users; keys: KeysOfActor };

/** Lends users and API keys of a database that no server has open. Throws data_directory_in_use. */
export function withTeamAlone<Result>(
  place: DatabaseOptions,
  use: (team: TeamAlone) => Promise<Result>,
): Promise<Result> {
  return withDatabaseAlone(place, (database) => use(openTeamAlone(database)));
}

/** Notes its changes in the audit log as if a server had made them. */
function openTeamAlone(database: Database): TeamAlone {
  const users = openUsers(database);
  const keys = openKeys(database);

  async function noted<Result>(what: string, act: Promise<Result>, describe: (result: Result) => Said) {
    const result = await act;
    const event = { what, host: null, note: null, ...describe(result) };
    const entry = { id: newPermalinkId(), at: Date.now(), ...program(localActor.name), ...event };
    await addToAuditLog(database, entry);
    return result;
  }

  return {
    users: {
      list: users.list,
      create: (user) =>
        noted('createUser', users.create(user), ({ email, role }) => ({
          subject: email,
          note: `as ${role}`,
        })),
      changeRole: (id, role) =>
        noted('changeUser', users.changeRole(id, role), ({ email }) => ({
          subject: email,
          note: `to ${role}`,
        })),
      resetPassword: (id) =>
        noted('resetPassword', users.resetPassword(id), ({ email }) => ({ subject: email })),
      async remove(id) {
        const user = (await users.list()).find((each) => each.id === id);
        await noted('deleteUser', users.remove(id), () => ({ subject: user?.email ?? id }));
      },
    },
    keys: {
      list: () => keys.list(localActor),
      create: (key) =>
        noted('createKey', keys.create(key, localActor), ({ id, name, user, role }) => ({
          subject: id,
          note: `${name}, for ${user} as ${role}`,
        })),
      remove: (id) => noted('deleteKey', keys.remove(id, localActor), () => ({ subject: id })),
    },
  };
}

type Said = { subject: string; note?: string };
