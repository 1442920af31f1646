import { keyEndpoints } from '../../../shared/api/key-endpoints.ts';
import { teamEndpoints } from '../../../shared/api/team-endpoints.ts';
import { readConfig } from '../config.ts';
import type { KeysOfActor, Users } from '../team/team.ts';
import { type ApiClient, connectTo } from './api-client.ts';
import { findDashboard } from './find-dashboard.ts';

/** Lends users and API keys: the running server has the database; without one it is opened here. */
export async function withTeam<Result>(
  use: (team: { users: Users; keys: KeysOfActor }) => Promise<Result>,
): Promise<Result> {
  const running = await findDashboard();
  if (running !== null) return use(teamOver(connectTo(running)));
  const { dataDirectory: directory, databaseUrl: url } = readConfig({ ...process.env, HOST: '' });
  const { withTeamAlone } = await import('../team/team-alone.ts');
  return withTeamAlone({ directory, url }, use);
}

function teamOver(api: ApiClient): { users: Users; keys: KeysOfActor } {
  return {
    users: {
      list: () => api.call(teamEndpoints.listUsers),
      create: (body) => api.call(teamEndpoints.createUser, { body }),
      changeRole: (id, role) => api.call(teamEndpoints.changeUser, { params: { id }, body: { role } }),
      resetPassword: (id) => api.call(teamEndpoints.resetPassword, { params: { id } }),
      async remove(id) {
        await api.call(teamEndpoints.deleteUser, { params: { id } });
      },
    },
    keys: {
      list: () => api.call(keyEndpoints.listKeys),
      create: (body) => api.call(keyEndpoints.createKey, { body }),
      async remove(id) {
        await api.call(keyEndpoints.deleteKey, { params: { id } });
      },
    },
  };
}
