import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { type BetterAuthPlugin, betterAuth } from 'better-auth';
import { APIError, createAuthEndpoint } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import { hashPassword } from 'better-auth/crypto';
import { z } from 'zod';
import { problem } from '../../../shared/base/problem.ts';
import {
  type Actor,
  keyPrefix,
  type PasswordChange,
  roleSchema,
  type SignIn,
} from '../../../shared/team/team.ts';
import { problemOfError } from '../../base/text/foreign-errors.ts';
import type { Database } from '../../life/database/open-database.ts';
import {
  findUserByEmail,
  hasPassword,
  listUsers,
  removeUser,
  storePassword,
  storeRole,
  storeUser,
} from '../../life/database/users.ts';
import { newPermalinkId } from '../../life/measurement/tokens.ts';
import { isFromHere } from './is-from-here.ts';
import { openProvider, type ProviderConfig } from './open-provider.ts';
import { localActor, openKeys, type Team, type Users } from './team-keys.ts';

export function openUsers(database: Database): Users {
  return {
    list: () => listUsers(database),
    async create({ email, role, password: wanted }) {
      const user = { id: newPermalinkId(), email, role, createdAt: Date.now() };
      const password = wanted ? makePassword() : null;
      await storeUser(database, user, password === null ? null : await hashPassword(password));
      return { ...user, password };
    },
    changeRole: (id, role) => storeRole(database, id, role),
    async resetPassword(id) {
      const password = makePassword();
      const user = await storePassword(database, id, await hashPassword(password), Date.now());
      return { ...user, password };
    },
    async remove(id) {
      await removeUser(database, id);
    },
  };
}

/** Without letters and digits that look alike. */
const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789';
const groups = 5;
const groupLength = 4;

/** 100 random bits that can be read out over the phone, such as `k7qm-2xwd-…`. */
function makePassword(): string {
  const group = () =>
    Array.from({ length: groupLength }, () => alphabet[randomInt(alphabet.length)]).join('');
  return Array.from({ length: groups }, group).join('-');
}

export type TeamOptions = {
  directory: string;
  /** Whether people reach the server over HTTPS. */
  secure: boolean;
  linksOpen: boolean;
  /** URL where people reach the server; null if it is not configured. */
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

/**
 * Secret that signs the cookies of sessions: 256 random bits in a file of the data directory that only its owner can
 * read. Deleting it signs everybody out. The data directory must be locked before.
 */
export function signInSecret(directory: string): string {
  const path = join(directory, 'sign-in.secret');
  try {
    return read(path) ?? make(path);
  } catch (error) {
    throw problemOfError('data_directory_unusable', `${path} cannot be used`, error);
  }
}

/** Null when there is none, or half of one. */
function read(path: string): string | null {
  try {
    const text = readFileSync(path, 'utf8');
    return /^[0-9a-f]{64}$/.test(text) ? text : null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function make(path: string): string {
  const secret = randomBytes(32).toString('hex');
  writeFileSync(`${path}.new`, secret, { mode: 0o600 });
  renameSync(`${path}.new`, path);
  return secret;
}

/**
 * Passwords and sessions by better-auth, on our tables. Only these calls are open to the network: its own HTTP endpoints,
 * such as signing up, are not served.
 */

/** A session ends a week after it began, used or not. */
const sessionS = 7 * 24 * 3600;

/** @param secure whether people reach the server over HTTPS, so that cookies may demand it */
export function openSessions(database: Database, { secret, secure }: { secret: string; secure: boolean }) {
  const auth = betterAuth({
    secret,
    baseURL: 'http://localhost',
    // Dates as text and truth as 1 and 0 in PostgreSQL too; our migrations make the tables.
    database: { db: database.queries, type: 'sqlite', transaction: true },
    user: {
      modelName: 'users',
      additionalFields: { role: { type: 'string', required: true, input: false } },
    },
    session: { modelName: 'sessions', expiresIn: sessionS, disableSessionRefresh: true },
    account: { modelName: 'accounts' },
    verification: { modelName: 'verifications' },
    emailAndPassword: { enabled: true, disableSignUp: true },
    advanced: {
      cookiePrefix: 'tls-toll',
      useSecureCookies: secure,
      database: { validateSchema: false },
    },
    plugins: [sessionsOfProven],
    logger: { disabled: true },
    telemetry: { enabled: false },
  });

  return {
    /** Who has the session; null without one that is good. */
    async find(headers: IncomingHttpHeaders): Promise<Actor | null> {
      const found = await auth.api.getSession({ headers: cookieOf(headers) });
      return found === null ? null : actorOf(found.user);
    },

    async signIn(body: SignIn): Promise<{ actor: Actor; cookies: string[] }> {
      try {
        const { headers, response } = await auth.api.signInEmail({ body, returnHeaders: true });
        return { actor: actorOf(response.user), cookies: headers.getSetCookie() };
      } catch (error) {
        throw explainSignIn(error, 'No user of this server has this email address and password.');
      }
    },

    /** For a user who has proven otherwise who they are. */
    async startFor(userId: string): Promise<{ actor: Actor; cookies: string[] }> {
      const { headers, response } = await auth.api.startSession({ body: { userId }, returnHeaders: true });
      return { actor: actorOf(response), cookies: headers.getSetCookie() };
    },

    /** Nothing happens without a session. */
    async signOut(headers: IncomingHttpHeaders): Promise<string[]> {
      const { headers: answered } = await auth.api.signOut({
        headers: cookieOf(headers),
        returnHeaders: true,
      });
      return answered.getSetCookie();
    },

    async changePassword(
      headers: IncomingHttpHeaders,
      { current: currentPassword, next: newPassword }: PasswordChange,
    ): Promise<string[]> {
      try {
        const { headers: answered } = await auth.api.changePassword({
          headers: cookieOf(headers),
          body: { currentPassword, newPassword, revokeOtherSessions: true },
          returnHeaders: true,
        });
        return answered.getSetCookie();
      } catch (error) {
        throw explainSignIn(error, 'This is not your current password, or you have none on this server.');
      }
    },
  };
}

const sessionsOfProven = {
  id: 'sessions-of-proven',
  endpoints: {
    startSession: createAuthEndpoint.serverOnly(
      { method: 'POST', body: z.object({ userId: z.string() }) },
      async (context) => {
        const { internalAdapter } = context.context;
        const user = await internalAdapter.findUserById(context.body.userId);
        if (user === null) throw problem('not_a_user', 'The user was removed just now.');
        const session = await internalAdapter.createSession(user.id);
        await setSessionCookie(context, { session, user });
        return user;
      },
    ),
  },
} satisfies BetterAuthPlugin;

/** The library sees nothing else of a request. */
function cookieOf({ cookie = '' }: IncomingHttpHeaders): Headers {
  return new Headers({ cookie });
}

function actorOf({ id, email, role }: { id: string; email: string; role?: unknown }): Actor {
  return { id, name: email, role: roleSchema.parse(role), key: null };
}

function explainSignIn(error: unknown, fact: string): unknown {
  if (!(error instanceof APIError)) return error;
  return problem('wrong_password', fact, { cause: error });
}
