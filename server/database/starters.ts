import type { Database } from './open-database.ts';

/** Who started which measurement. The first one stays: who asks again with the same Idempotency-Key started nothing. */
export async function storeStarter(
  { queries }: Database,
  measurementId: string,
  userId: string,
): Promise<void> {
  await queries
    .insertInto('starters')
    .values({ measurementId, userId })
    .onConflict((conflict) => conflict.column('measurementId').doNothing())
    .execute();
}

/** ID of the user; null where nobody was signed in. */
export async function findStarter({ queries }: Database, measurementId: string): Promise<string | null> {
  const row = await queries
    .selectFrom('starters')
    .select('userId')
    .where('measurementId', '=', measurementId)
    .executeTakeFirst();
  return row?.userId ?? null;
}
