import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { problem } from '../../../shared/base/problem.ts';
import { keyPrefix } from '../../../shared/team/api-key.ts';
import type { Database } from '../../life/database/open-database.ts';
import { findUserByEmail, hasPassword } from '../../life/database/users.ts';
import { isFromHere } from './is-from-here.ts';
import { localActor } from './local-actor.ts';
import { openKeys } from './open-keys.ts';
import { openProvider, type ProviderConfig } from './open-provider.ts';
import { openSessions } from './open-sessions.ts';
import { openUsers } from './open-users.ts';
import { signInSecret } from './sign-in-secret.ts';
import type { Team } from './team.ts';

export type TeamOptions = {
  directory: string;
  /** Whether people reach the server over HTTPS. */
  secure: boolean;
  linksOpen: boolean;
  /** Where people reach the server; null for an address that nobody told it. */
  url: URL | null;
  /** Needs the address. */
  provider: ProviderConfig | null;
  /** For the command line on this machine, which reads it in the data directory. */
  localKey: string;
};

/** Loads the library of sign-in: only a server that demands it comes here. Throws sign_in_needed while nobody could sign in. */
export async function openTeam(database: Database, options: TeamOptions): Promise<Team> {
  const users = openUsers(database);
  const admins = (await users.list()).filter(({ role }) => role === 'admin');
  if (admins.length === 0)
    throw problem('sign_in_needed', 'Sign-in is on, but this server has no admin yet.');
  const keys = openKeys(database);
  const keeping = { secret: signInSecret(options.directory), secure: options.secure };
  const sessions = openSessions(database, keeping);
  const { url, provider } = options;
  return {
    linksOpen: options.linksOpen,
    ways: { provider: provider?.name ?? null },
    async identify(caller) {
      const key = bearerOf(caller.headers);
      if (key === null) return sessions.find(caller.headers);
      if (key.startsWith(keyPrefix)) return keys.identify(key);
      if (isSame(key, options.localKey)) {
        if (isFromHere(caller)) return localActor;
        throw problem('key_refused', 'The key of the command line works on the server’s own machine only.');
      }
      throw problem(
        'key_refused',
        `The Authorization header contains no API key. API keys begin with ${keyPrefix}.`,
      );
    },
    signIn: sessions.signIn,
    async account({ id }) {
      return { password: id !== null && (await hasPassword(database, id)) };
    },
    provider: provider === null || url === null ? null : openProvider(provider, url, keeping, admit),
    signOut: sessions.signOut,
    changePassword: sessions.changePassword,
    users,
    keys,
  };

  async function admit(email: string) {
    const user = await findUserByEmail(database, email);
    if (user === null) throw problem('not_a_user', `${email} is not a user of this server.`);
    return sessions.startFor(user.id);
  }
}

function bearerOf({ authorization }: IncomingHttpHeaders): string | null {
  return /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? null;
}

/** In constant time, whatever their lengths. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => createHash('sha256').update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}
