import { createHash, randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { type ProblemError, problem } from '../../../shared/base/problem.ts';
import { lowerRole, type Role, reaches } from '../../../shared/team/role.ts';
import {
  type Account,
  type Actor,
  type ApiKey,
  type CreatedApiKey,
  type CreatedUser,
  keyPattern,
  keyPrefix,
  type NewApiKey,
  type NewUser,
  type PasswordChange,
  type SignIn,
  type SignInWays,
  type User,
  type UserWithPassword,
} from '../../../shared/team/team.ts';
import type { Database } from '../../life/database/open-database.ts';
import {
  type FoundKey,
  findKey,
  listKeys,
  listUsers,
  type NewKeyRow,
  noteKeyUse,
  removeKey,
  storeKey,
} from '../../life/database/users.ts';
import { newPermalinkId } from '../../life/measurement/tokens.ts';
import type { Caller } from './is-from-here.ts';

const dayMs = 24 * 3_600_000;

/** "Last used" is written this often at most, so that reading with a key does not become writing. */
const useMs = 60_000;

/** A key has 256 random bits, so that a plain hash of it cannot be guessed and needs no salt. */
export function openKeys(database: Database): Keys {
  return {
    list: (actor) => listKeys(database, actor.role === 'admin' ? null : actor.id),

    async create({ name, role: asked, days, user: email }, actor) {
      if (actor.key !== null)
        throw problem(
          'key_needs_person',
          'An API key cannot create other keys, because they would outlive it.',
        );
      const user = email === undefined ? actor : await userOf(email, actor);
      if (user.id === null)
        throw problem('invalid_request', 'Name the user that the key acts for, in the field user.');
      const role = asked ?? lowerRole('operator', user.role);
      if (!reaches(user.role, role)) {
        const fact = `${nameUser(user)} has the role ${user.role}, and a key cannot have a higher one.`;
        throw problem('role_too_low', fact);
      }
      const key = `${keyPrefix}${randomBytes(32).toString('base64url')}`;
      const now = Date.now();
      const expiresAt = days === null ? null : now + days * dayMs;
      const stored = { id: newPermalinkId(), name, role, createdAt: now, expiresAt };
      const row: NewKeyRow = { ...stored, userId: user.id, hash: hashKey(key) };
      await storeKey(database, row);
      return { ...stored, user: nameUser(user), usedAt: null, key };
    },

    remove: (id, actor) => removeKey(database, id, actor.role === 'admin' ? null : actor.id, Date.now()),

    async identify(key) {
      if (!keyPattern.test(key)) throw wrong('It is incomplete: a key is tt_ and 43 more characters.');
      const found = await findKey(database, hashKey(key));
      const now = Date.now();
      const { user, name, role } = demandGood(found, now);
      if (found !== null && (found.usedAt === null || found.usedAt < now - useMs))
        await noteKeyUse(database, found.id, now);
      return { id: user.id, name: user.email, role: lowerRole(role, user.role), key: name };
    },
  };

  async function userOf(email: string, actor: Actor) {
    if (actor.id !== null && email !== actor.name)
      throw problem(
        'role_too_low',
        'To create a key for somebody else, use the command line on the server’s machine.',
      );
    const user = (await listUsers(database)).find((each) => each.email === email);
    if (user === undefined) throw problem('user_not_found', `${email} is not a user of this server.`);
    return user;
  }
}

const nameUser = (user: { email: string } | { name: string }) => ('email' in user ? user.email : user.name);

/** Throws key_refused, which names the cause and never the key. */
function demandGood(found: FoundKey | null, now: number): FoundKey & { user: NonNullable<FoundKey['user']> } {
  if (found === null) throw wrong('It was not created on this server.');
  const { name, user, expiresAt, removedAt } = found;
  if (removedAt !== null) throw wrong(`“${name}” was deleted on ${printExpiryDay(removedAt)}.`);
  if (user === null) throw wrong(`The user of “${name}” was removed.`);
  if (expiresAt !== null && expiresAt <= now)
    throw wrong(`“${name}” expired on ${printExpiryDay(expiresAt)}.`);
  return { ...found, user };
}

function wrong(cause: string) {
  return problem('key_refused', `The API key was refused. ${cause}`);
}

const printExpiryDay = (ms: number) => new Date(ms).toISOString().slice(0, 10);

function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** The command line of the data directory's owner. */
export const localActor: Actor = {
  id: null,
  name: 'command line on this machine',
  role: 'admin',
  key: null,
};

/** Sign-in and keys of the people who use the server. */
export type Team = {
  /** Whether results open for everyone who has their link. */
  linksOpen: boolean;
  /** Whose request it is, by session or key. Null without either or with a session that has ended; throws key_refused. */
  identify(caller: Caller): Promise<Actor | null>;
  /** With the cookies of a new session. Throws wrong_password. */
  signIn(credentials: SignIn): Promise<{ actor: Actor; cookies: string[] }>;
  ways: SignInWays;
  /** No password for the command line of this machine. */
  account(actor: Actor): Promise<Account>;
  /** Null without an identity provider. */
  provider: ProviderSignIn | null;
  /** Ends the session, if there is one. Returns the cookies that forget it. */
  signOut(headers: IncomingHttpHeaders): Promise<string[]>;
  /** Every other session of the person ends; the cookies are of a new one. Throws wrong_password. */
  changePassword(headers: IncomingHttpHeaders, change: PasswordChange): Promise<string[]>;
  users: Users;
  keys: Keys;
};

/** OpenID Connect: the browser goes to the identity provider and comes back with a code. */
export type ProviderSignIn = {
  /**
   * URL to send the browser to, with a cookie that it must bring back. Throws provider_unusable, sign_in_elsewhere.
   * @param returnTo path of this server
   * @param origin of the page that asks
   */
  begin(returnTo: string, origin: string | undefined): Promise<{ url: string; cookies: string[] }>;
  /** @param query of the address that the browser came back to */
  finish(query: URLSearchParams, headers: IncomingHttpHeaders): Promise<ProviderEnd>;
};

/** Whatever the end is, the browser goes on to `returnTo`. */
type ProviderEnd = { returnTo: string; cookies: string[] } & (
  | { actor: Actor }
  | { actor: null; problem: ProblemError }
);

/** Passwords are made here, shown once, and stored as salted hashes. */
export type Users = {
  list(): Promise<User[]>;
  /** Throws user_exists. */
  create(user: NewUser): Promise<CreatedUser>;
  /** Throws user_not_found, last_admin. */
  changeRole(id: string, role: Role): Promise<User>;
  /** Throws user_not_found. */
  resetPassword(id: string): Promise<UserWithPassword>;
  /** Throws user_not_found, last_admin. */
  remove(id: string): Promise<void>;
};

/** Made here, shown once, and stored as hashes. Admins see and remove everybody's, others their own. */
type Keys = {
  list(actor: Actor): Promise<ApiKey[]>;
  /** Throws key_needs_person, role_too_low, user_not_found, too_many_keys, invalid_request. */
  create(key: NewApiKey, actor: Actor): Promise<CreatedApiKey>;
  /** Throws key_not_found. */
  remove(id: string, actor: Actor): Promise<void>;
  /** Whom a key acts for. Throws key_refused. */
  identify(key: string): Promise<Actor>;
};

/** The same for one who asks, as the command line sees them. */
export type KeysOfActor = {
  list(): Promise<ApiKey[]>;
  create(key: NewApiKey): Promise<CreatedApiKey>;
  remove(id: string): Promise<void>;
};
