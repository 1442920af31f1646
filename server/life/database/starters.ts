import type { Database } from './open-database.ts';

/** Who started a measurement, or took it up again, and may cancel it. Null, a program of this machine, leaves it to whoever it was. */
export async function storeStarter(
  queries: Database['queries'],
  measurementId: string,
  userId: string | null,
): Promise<void> {
  if (userId === null) return;
  await queries
    .insertInto('starters')
    .values({ measurementId, userId })
    .onConflict((conflict) => conflict.column('measurementId').doUpdateSet({ userId }))
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
