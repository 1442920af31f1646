import { readConfig } from '../config.ts';
import type { KeysOfActor, Users } from '../team/team.ts';
import { connectTo } from './api-client.ts';
import { findDashboard } from './find-dashboard.ts';

/** Lends users and API keys: the running server has the database; without one it is opened here. */
export async function withTeam<Result>(
  use: (team: { users: Users; keys: KeysOfActor }) => Promise<Result>,
): Promise<Result> {
  const running = await findDashboard();
  if (running !== null) return use(connectTo(running));
  const { dataDirectory: directory, databaseUrl: url } = readConfig({ ...process.env, HOST: '' });
  const { withTeamAlone } = await import('../team/team-alone.ts');
  return withTeamAlone({ directory, url }, use);
}
