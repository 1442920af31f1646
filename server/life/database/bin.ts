import { sql } from 'kysely';
import { lockDataDirectory } from './data-directory.ts';
import { type PageQuery, pageOf, parseCursor } from './list-measurements.ts';
import { buryIn, type Claim, storeFigures } from './measurements.ts';
import { type Database, type DatabaseOptions, openDatabase } from './open-database.ts';

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

type Retirable = { id: string; fence: number };

/**
 * Results that nobody asked to keep: not pinned, without title and note, and never restored from the bin. Those that began
 * before `before`, and those beyond the newest `count`, each at most `limit`. Null for no such bound.
 */
export async function listRetirable(
  { queries }: Database,
  { before, count, limit }: { before: number | null; count: number | null; limit: number },
): Promise<Retirable[]> {
  const all = queries
    .selectFrom('measurements')
    .select(['measurements.id', 'measurements.fence'])
    .where('state', 'not in', ['queued', 'running'])
    .where('measurements.id', 'not in', ({ selectFrom }) => selectFrom('bin').select('bin.measurementId'))
    .where('measurements.id', 'not in', ({ selectFrom }) =>
      selectFrom('baselines').select('baselines.measurementId'),
    )
    .where('measurements.id', 'not in', ({ selectFrom }) => selectFrom('kept').select('kept.measurementId'))
    .where('measurements.id', 'not in', ({ selectFrom }) =>
      selectFrom('annotations')
        .select('annotations.measurementId')
        .where(({ or, eb }) =>
          or([eb('annotations.title', 'is not', null), eb('annotations.note', '!=', '')]),
        ),
    )
    .limit(limit);
  const old = before === null ? [] : await all.where('createdAt', '<', before).orderBy('createdAt').execute();
  const surplus =
    count === null
      ? []
      : await all.orderBy('createdAt', 'desc').orderBy('id', 'desc').offset(count).execute();
  return [...new Map([...old, ...surplus].map((each) => [each.id, each])).values()];
}

/** Lends the database of a data directory that no server has. Throws data_directory_in_use. */
export async function withDatabaseAlone<Result>(
  place: DatabaseOptions,
  use: (database: Database) => Promise<Result>,
): Promise<Result> {
  const lock = lockDataDirectory(place.directory);
  try {
    const database = await openDatabase(place);
    if (database.notice !== null) process.stderr.write(`${database.notice}\n`);
    return await use(database).finally(database.close);
  } finally {
    lock.release();
  }
}
