import { sql } from 'kysely';
import type { Claim } from './fenced.ts';
import { storeFigures } from './history/store-figures.ts';
import { buryIn } from './measurements.ts';
import type { Database } from './open-database.ts';
import { type PageQuery, pageOf, parseCursor } from './page-cursor.ts';

/**
 * A measurement in the bin stays as it was, except for two things: it loses its rows in the history, which restoring makes again
 * from its document, and its idempotency key, which another one may use. Nothing changes for one that is already in the bin.
 * False where it is gone, or was resumed since its fence was read.
 */
export async function binMeasurement(
  { queries }: Database,
  { id: measurementId, fence }: Claim,
  deletedAt: number,
): Promise<boolean> {
  return await queries.transaction().execute(async (transaction) => {
    const found = await transaction
      .updateTable('measurements')
      .set({ idempotencyHash: null })
      .where('id', '=', measurementId)
      .where('fence', '=', fence)
      .returning('id')
      .execute();
    if (found.length === 0) return false;
    await transaction
      .insertInto('bin')
      .values({ measurementId, deletedAt })
      .onConflict((conflict) => conflict.column('measurementId').doNothing())
      .execute();
    await storeFigures(transaction, measurementId, null);
    await transaction
      .updateTable('documents')
      .set({ figuresVersion: 0 })
      .where('measurementId', '=', measurementId)
      .execute();
    return true;
  });
}

/** False when it was not in the bin. */
export async function unbinMeasurement({ queries }: Database, measurementId: string): Promise<boolean> {
  return await queries.transaction().execute(async (transaction) => {
    const taken = await transaction
      .deleteFrom('bin')
      .where('measurementId', '=', measurementId)
      .returning('measurementId')
      .execute();
    if (taken.length === 0) return false;
    await transaction
      .insertInto('kept')
      .values({ measurementId })
      .onConflict((conflict) => conflict.column('measurementId').doNothing())
      .execute();
    return true;
  });
}

/** When it was deleted, in milliseconds since 1970; null for one that is not in the bin. */
export async function findBinned({ queries }: Database, measurementId: string): Promise<number | null> {
  const row = await queries
    .selectFrom('bin')
    .select('deletedAt')
    .where('measurementId', '=', measurementId)
    .executeTakeFirst();
  return row?.deletedAt ?? null;
}

/** Most recently deleted first, a page at a time. */
export async function listBinned(
  { queries }: Database,
  { limit, cursor }: PageQuery,
): Promise<{ page: { id: string; deletedAt: number }[]; nextCursor: string | null }> {
  let rows = queries
    .selectFrom('bin')
    .select(['measurementId as id', 'deletedAt'])
    .orderBy('deletedAt', 'desc')
    .orderBy('measurementId', 'desc')
    .limit(limit + 1);
  if (cursor !== undefined) {
    const { at, id } = parseCursor(cursor);
    rows = rows.where(sql<boolean>`(deleted_at, measurement_id) < (${at}, ${id})`);
  }
  return pageOf(await rows.execute(), limit, ({ deletedAt: at, id }) => ({ at, id }));
}

/** IDs of those that were deleted at that time or before. */
export async function listBinnedUntil({ queries }: Database, deletedAt: number): Promise<string[]> {
  const rows = await queries
    .selectFrom('bin')
    .select('measurementId')
    .where('deletedAt', '<=', deletedAt)
    .orderBy('deletedAt')
    .execute();
  return rows.map(({ measurementId }) => measurementId);
}

/** Removes one for good that was deleted at `until` or before; one that was restored meanwhile stays. */
export async function buryBinned(
  { queries }: Database,
  measurementId: string,
  { until, now }: { until: number; now: number },
): Promise<void> {
  await queries.transaction().execute(async (transaction) => {
    const taken = await transaction
      .deleteFrom('bin')
      .where('measurementId', '=', measurementId)
      .where('deletedAt', '<=', until)
      .returning('measurementId')
      .execute();
    if (taken.length === 1) await buryIn(transaction, measurementId, now);
  });
}
