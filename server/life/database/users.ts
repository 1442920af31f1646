import type { Transaction } from 'kysely';
import { problem } from '../../../shared/base/problem.ts';
import type { Role } from '../../../shared/team/role.ts';
import { type ApiKey, apiKeySchema, roleSchema, type User } from '../../../shared/team/team.ts';
import { plainText } from './list-measurements.ts';
import type { Database } from './open-database.ts';
import type { Tables } from './packed-text.ts';

/** People who may sign in. */

const credential = 'credential';

export async function listUsers({ queries }: Pick<Database, 'queries'>): Promise<User[]> {
  const rows = await queries.selectFrom('users').select(columns).orderBy('email').execute();
  return rows.map(parseUser);
}

export async function findUserByEmail({ queries }: Database, email: string): Promise<User | null> {
  const row = await queries.selectFrom('users').select(columns).where('email', '=', email).executeTakeFirst();
  return row === undefined ? null : parseUser(row);
}

/** Throws user_exists. @param passwordHash null for nobody who signs in with a password */
export async function storeUser(
  { queries }: Database,
  { id, email, role, createdAt }: User,
  passwordHash: string | null,
): Promise<void> {
  const times = timesAt(createdAt);
  await queries.transaction().execute(async (transaction) => {
    const stored = await transaction
      .insertInto('users')
      .values({ id, email, name: email, role, emailVerified: 0, image: null, ...times })
      .onConflict((conflict) => conflict.column('email').doNothing())
      .returning('id')
      .execute();
    if (stored.length === 0) throw problem('user_exists', `${email} is a user of this server already.`);
    if (passwordHash !== null) await setPassword(transaction, id, passwordHash, createdAt);
  });
}

export async function hasPassword({ queries }: Database, userId: string): Promise<boolean> {
  const found = await queries
    .selectFrom('accounts')
    .select('id')
    .where('userId', '=', userId)
    .where('providerId', '=', credential)
    .executeTakeFirst();
  return found !== undefined;
}

/** Throws user_not_found, last_admin. */
export async function storeRole({ queries }: Database, id: string, role: Role): Promise<User> {
  return await queries.transaction().execute(async (transaction) => {
    const user = await demandUser(transaction, id);
    if (role !== 'admin') await demandOtherAdmin(transaction, user);
    await transaction.updateTable('users').set({ role }).where('id', '=', id).execute();
    return { ...user, role };
  });
}

/** Replaces the password, if there is one, and ends every session. Throws user_not_found. */
export async function storePassword(
  { queries }: Database,
  id: string,
  passwordHash: string,
  now: number,
): Promise<User> {
  return await queries.transaction().execute(async (transaction) => {
    const user = await demandUser(transaction, id);
    await setPassword(transaction, id, passwordHash, now);
    await transaction.deleteFrom('sessions').where('userId', '=', id).execute();
    return user;
  });
}

/** With password and sessions. Throws user_not_found, last_admin. */
export async function removeUser({ queries }: Database, id: string): Promise<User> {
  return await queries.transaction().execute(async (transaction) => {
    const user = await demandUser(transaction, id);
    await demandOtherAdmin(transaction, user);
    // Sessions and accounts go with it.
    await transaction.deleteFrom('users').where('id', '=', id).execute();
    return user;
  });
}

async function setPassword(
  transaction: Transaction<Tables>,
  id: string,
  password: string,
  now: number,
): Promise<void> {
  const times = timesAt(now);
  await transaction
    .insertInto('accounts')
    .values({ id, userId: id, accountId: id, providerId: credential, password, ...times })
    .onConflict((conflict) =>
      conflict.columns(['providerId', 'accountId']).doUpdateSet({ password, updatedAt: times.updatedAt }),
    )
    .execute();
}

/** Keeps one of two admins who remove each other concurrently: the update locks the rows of all admins. */
async function demandOtherAdmin(transaction: Transaction<Tables>, { id, email }: User): Promise<void> {
  const admins = await transaction
    .updateTable('users')
    .set({ role: 'admin' })
    .where('role', '=', 'admin')
    .returning('id')
    .execute();
  if (admins.every((admin) => admin.id === id))
    throw problem('last_admin', `${email} is the only admin of this server.`);
}

async function demandUser(transaction: Transaction<Tables>, id: string): Promise<User> {
  const row = await transaction.selectFrom('users').select(columns).where('id', '=', id).executeTakeFirst();
  if (row === undefined) throw problem('user_not_found', `No user of this server has the ID ${id}.`);
  return parseUser(row);
}

const columns = ['id', 'email', 'role', 'createdAt'] as const;

function parseUser(row: Pick<Tables['users'], (typeof columns)[number]>): User {
  return { ...row, role: roleSchema.parse(row.role), createdAt: Date.parse(row.createdAt) };
}

function timesAt(ms: number): { createdAt: string; updatedAt: string } {
  const time = new Date(ms).toISOString();
  return { createdAt: time, updatedAt: time };
}

/** API keys by their hash. */

const mostKeysOfUser = 50;

export type NewKeyRow = Omit<ApiKey, 'user' | 'usedAt'> & { hash: string; userId: string };

/** Throws too_many_keys. */
export async function storeKey({ queries }: Database, row: NewKeyRow): Promise<void> {
  await queries.transaction().execute(async (transaction) => {
    const { count } = await transaction
      .selectFrom('apiKeys')
      .select(({ fn }) => fn.countAll().as('count'))
      .where('userId', '=', row.userId)
      .where('removedAt', 'is', null)
      .executeTakeFirstOrThrow();
    if (Number(count) >= mostKeysOfUser)
      throw problem('too_many_keys', `A user can have at most ${mostKeysOfUser} API keys.`);
    await transaction
      .insertInto('apiKeys')
      .values({ ...row, name: plainText(row.name), usedAt: null, removedAt: null })
      .execute();
  });
}

/** Keys of users who still exist, the newest first. @param userId null for all users */
export async function listKeys({ queries }: Database, userId: string | null): Promise<ApiKey[]> {
  const all = queries
    .selectFrom('apiKeys as key')
    .innerJoin('users as user', 'user.id', 'key.userId')
    .select(['key.id', 'key.name', 'key.role', 'user.email as user'])
    .select(['key.createdAt', 'key.expiresAt', 'key.usedAt'])
    .where('key.removedAt', 'is', null)
    .orderBy('key.createdAt', 'desc')
    .orderBy('key.id');
  const rows = await (userId === null ? all : all.where('key.userId', '=', userId)).execute();
  return rows.map((row) => apiKeySchema.parse(row));
}

/** Throws key_not_found. @param userId whose it must be; null for anybody's */
export async function removeKey(
  { queries }: Database,
  id: string,
  userId: string | null,
  now: number,
): Promise<void> {
  const change = queries
    .updateTable('apiKeys')
    .set({ removedAt: now })
    .where('id', '=', id)
    .where('removedAt', 'is', null)
    .returning('id');
  const removed = await (userId === null ? change : change.where('userId', '=', userId)).execute();
  if (removed.length === 0) throw problem('key_not_found', `You have no API key with the ID ${id}.`);
}

export type FoundKey = {
  id: string;
  name: string;
  role: Role;
  expiresAt: number | null;
  usedAt: number | null;
  removedAt: number | null;
  /** The user now; null once removed. */
  user: { id: string; email: string; role: Role } | null;
};

/** Null for a key that was never made here. */
export async function findKey({ queries }: Database, hash: string): Promise<FoundKey | null> {
  const row = await queries
    .selectFrom('apiKeys as key')
    .leftJoin('users as user', 'user.id', 'key.userId')
    .select(['key.id', 'key.name', 'key.role', 'key.expiresAt', 'key.usedAt', 'key.removedAt', 'key.userId'])
    .select(['user.email', 'user.role as userRole'])
    .where('key.hash', '=', hash)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { email, userRole, userId, role, ...rest } = row;
  const user = email === null || userRole === null ? null : { email, role: roleSchema.parse(userRole) };
  return { ...rest, role: roleSchema.parse(role), user: user === null ? null : { id: userId, ...user } };
}

export async function noteKeyUse({ queries }: Database, id: string, now: number): Promise<void> {
  await queries.updateTable('apiKeys').set({ usedAt: now }).where('id', '=', id).execute();
}
