import type { IncomingHttpHeaders } from 'node:http';
import { type BetterAuthPlugin, betterAuth } from 'better-auth';
import { APIError, createAuthEndpoint } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import { z } from 'zod';
import { problem } from '../../../shared/base/problem.ts';
import type { Actor } from '../../../shared/team/identity.ts';
import { roleSchema } from '../../../shared/team/identity.ts';
import type { PasswordChange, SignIn } from '../../../shared/team/team.ts';
import type { Database } from '../../life/database/open-database.ts';

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
        throw explain(error, 'No user of this server has this email address and password.');
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
        throw explain(error, 'This is not your current password, or you have none on this server.');
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

function explain(error: unknown, fact: string): unknown {
  if (!(error instanceof APIError)) return error;
  return problem('wrong_password', fact, { cause: error });
}
