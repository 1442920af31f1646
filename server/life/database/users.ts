import type { Transaction } from 'kysely';
import { problem } from '../../../shared/base/problem.ts';
import { roleSchema } from '../../../shared/team/identity.ts';
import type { Role } from '../../../shared/team/role.ts';
import type { User } from '../../../shared/team/team.ts';
import type { Database } from './open-database.ts';
import type { Tables } from './tables.ts';

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

/** Of two admins who remove each other at the same time, one stays: the rows of all admins are locked by the update. */
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
