import { problem } from '../../../shared/base/problem.ts';
import { type ApiKey, apiKeySchema } from '../../../shared/team/api-key.ts';
import { roleSchema } from '../../../shared/team/identity.ts';
import type { Role } from '../../../shared/team/role.ts';
import type { Database } from './open-database.ts';
import { plainText } from './plain-text.ts';

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

/** Of users who are still there, the newest first. @param userId null for everybody's */
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
  /** As they are now; null once they are removed. */
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
