import type { IncomingHttpHeaders } from 'node:http';
import type { ProblemError } from '../../../shared/base/problem.ts';
import type { ApiKey, CreatedApiKey, NewApiKey } from '../../../shared/team/api-key.ts';
import type { Actor, SignInWays } from '../../../shared/team/identity.ts';
import type { Role } from '../../../shared/team/role.ts';
import type {
  Account,
  CreatedUser,
  NewUser,
  PasswordChange,
  SignIn,
  User,
  UserWithPassword,
} from '../../../shared/team/team.ts';
import type { Caller } from './is-from-here.ts';

/** What a server does for the people who sign in to it. */
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
   * Where to send the browser, with a cookie that it must bring back. Throws provider_unusable, sign_in_elsewhere.
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
export type Keys = {
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
