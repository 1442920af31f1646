import { type Role, roles } from '../../shared/team/role.ts';
import { type NewUser, type UserWithPassword, userWithPasswordSchema } from '../../shared/team/team.ts';
import { openTeam, openUsers, type TeamOptions } from '../edge/team/open-team.ts';
import type { Team, Users } from '../edge/team/team-keys.ts';
import type { Database } from '../life/database/open-database.ts';
import { openTestServer, type Reply, type SendOptions, type TestServer } from './test-server.ts';

/** For tests: a server with sign-in, one user for each role, and what each of them sends. */
export type TeamInTest = {
  server: TestServer;
  passwords: Record<Role, string>;
  signIn(email: string, password: string, headers?: Record<string, string>): Promise<Reply>;
  /** A request of somebody with that role. */
  sendAs(role: Role, path: string, options?: SendOptions): Promise<Reply>;
  /** Cookies of a session with that role. */
  cookies: Record<Role, string>;
};

export const localKey = 'key-of-the-command-line';

export const emailOf = (role: Role) => `${role}@example.com`;

type Change = Parameters<typeof openTestServer>[0] & {
  linksOpen?: boolean;
  secure?: boolean;
  url?: TeamOptions['url'];
  provider?: TeamOptions['provider'];
};

export async function openTeamInTest({
  linksOpen = true,
  secure = false,
  url = null,
  provider = null,
  ...change
}: Change = {}): Promise<TeamInTest> {
  const passwords = { reader: '', operator: '', admin: '' };
  async function team(database: Database, directory: string): Promise<Team> {
    const users = openUsers(database);
    for (const role of roles)
      passwords[role] = (await addUser(users, { email: emailOf(role), role })).password;
    return openTeam(database, { directory, secure, linksOpen, url, provider, localKey });
  }
  const server = await openTestServer({ ...change, team });
  const signIn: TeamInTest['signIn'] = (email, password, headers = {}) =>
    server.send('/api/v1/session', { method: 'POST', body: { email, password }, headers });
  const cookies = { reader: '', operator: '', admin: '' };
  for (const role of roles) cookies[role] = cookieIn(await signIn(emailOf(role), passwords[role]));
  return {
    server,
    passwords,
    cookies,
    signIn,
    sendAs: (role, path, options = {}) =>
      server.send(path, { ...options, headers: { Cookie: cookies[role], ...options.headers } }),
  };
}

/** One who has a password. */
export async function addUser(
  users: Users,
  user: Pick<NewUser, 'email' | 'role'>,
): Promise<UserWithPassword> {
  return userWithPasswordSchema.parse(await users.create({ ...user, password: true }));
}

/** Cookies that a browser sends back after an answer. */
export function cookieIn(reply: Reply): string {
  return (reply.headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0]).join('; ');
}
