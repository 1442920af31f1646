import { type Passkey, passkeySchema } from '../../shared/passkey.ts';
import { problem } from '../../shared/problem.ts';
import type { Database } from './open-database.ts';
import { plainText } from './plain-text.ts';
import type { Tables } from './tables.ts';

/** Passkeys of users, by the ID that their authenticators gave them. */

const mostPasskeysOfUser = 20;

export type PasskeyRow = Tables['passkeys'];

/** Throws too_many_passkeys, passkey_refused. */
export async function storePasskey({ queries }: Database, row: PasskeyRow): Promise<void> {
  await queries.transaction().execute(async (transaction) => {
    const { count } = await transaction
      .selectFrom('passkeys')
      .select(({ fn }) => fn.countAll().as('count'))
      .where('userId', '=', row.userId)
      .executeTakeFirstOrThrow();
    if (Number(count) >= mostPasskeysOfUser)
      throw problem('too_many_passkeys', `A user can have at most ${mostPasskeysOfUser} passkeys.`);
    const stored = await transaction
      .insertInto('passkeys')
      .values({ ...row, name: plainText(row.name) })
      .onConflict((conflict) => conflict.column('credentialId').doNothing())
      .returning('id')
      .execute();
    if (stored.length === 0)
      throw problem('passkey_refused', 'This passkey was added to an account of this server already.');
  });
}

/** The newest first. */
export async function listPasskeys({ queries }: Database, userId: string): Promise<Passkey[]> {
  const rows = await queries
    .selectFrom('passkeys')
    .select(['id', 'name', 'createdAt', 'usedAt'])
    .where('userId', '=', userId)
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .execute();
  return rows.map((row) => passkeySchema.parse(row));
}

/** As authenticators know them. */
export async function listCredentials({ queries }: Database, userId: string) {
  return queries
    .selectFrom('passkeys')
    .select(['credentialId as id', 'transports'])
    .where('userId', '=', userId)
    .execute();
}

export async function findPasskey({ queries }: Database, credentialId: string): Promise<PasskeyRow | null> {
  const row = await queries
    .selectFrom('passkeys')
    .selectAll()
    .where('credentialId', '=', credentialId)
    .executeTakeFirst();
  return row ?? null;
}

/** @param counter how often the authenticator has used it; always 0 where it does not count */
export async function notePasskeyUse(
  { queries }: Database,
  id: string,
  counter: number,
  now: number,
): Promise<void> {
  await queries.updateTable('passkeys').set({ counter, usedAt: now }).where('id', '=', id).execute();
}

/** Throws passkey_not_found. */
export async function removePasskey({ queries }: Database, id: string, userId: string): Promise<void> {
  const removed = await queries
    .deleteFrom('passkeys')
    .where('id', '=', id)
    .where('userId', '=', userId)
    .returning('id')
    .execute();
  if (removed.length === 0) throw problem('passkey_not_found', `You have no passkey with the ID ${id}.`);
}
