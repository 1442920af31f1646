import type { Transaction } from 'kysely';
import { z } from 'zod';
import { environmentSchema } from '../../../shared/base/environment.ts';
import { permalinkIdSchema, unixMillisSchema } from '../../../shared/base/units.ts';
import { type Labels, labelsSchema } from '../../../shared/measurement/runner.ts';
import { type Enroll, insertIn, type NewMeasurement } from './insert-measurement.ts';
import type { Database } from './open-database.ts';
import { jsonText, type Tables } from './packed-text.ts';

const batchSchema = z.object({
  id: permalinkIdSchema,
  kind: z.string(),
  createdAt: unixMillisSchema,
  requestHash: z.string(),
});

type BatchRecord = z.infer<typeof batchSchema>;

export type NewSite = { measurement: NewMeasurement; labels: Labels; enroll: Enroll };

/** With all of its measurements, or nothing: false when another one has the same idempotency key. */
export async function insertBatch(
  { queries }: Database,
  batch: BatchRecord & { idempotencyHash: string | null },
  sites: readonly NewSite[],
): Promise<boolean> {
  return queries.transaction().execute(async (transaction) => {
    const inserted = await transaction
      .insertInto('batches')
      .values(batch)
      .onConflict((conflict) => conflict.column('idempotencyHash').doNothing())
      .returning('id')
      .execute();
    if (inserted.length === 0) return false;
    for (const [place, { measurement, labels, enroll }] of sites.entries()) {
      await insertIn(transaction, measurement, enroll);
      const site = { place, measurementId: measurement.id, labels: JSON.stringify(labels) };
      await transaction
        .insertInto('batchSites')
        .values({ ...site, batchId: batch.id })
        .execute();
    }
    return true;
  });
}

export async function findBatch(
  { queries }: Database,
  value: string,
  by: 'id' | 'idempotencyHash' = 'id',
): Promise<BatchRecord | null> {
  const row = await queries.selectFrom('batches').selectAll().where(by, '=', value).executeTakeFirst();
  return row === undefined ? null : batchSchema.parse(row);
}

/** ID of the batch that a measurement is part of; null for most. */
export async function findBatchOf({ queries }: Database, measurementId: string): Promise<string | null> {
  const row = await queries
    .selectFrom('batchSites')
    .select('batchId')
    .where('measurementId', '=', measurementId)
    .executeTakeFirst();
  return row?.batchId ?? null;
}

const siteSchema = z.object({
  /** ID of its measurement. */
  id: permalinkIdSchema,
  labels: jsonText(labelsSchema),
  stored: z.string().nullable(),
  binnedAt: unixMillisSchema.nullable(),
  environment: jsonText(environmentSchema).nullable(),
});

export type SiteRecord = Pick<z.infer<typeof siteSchema>, 'id' | 'labels'> & {
  deleted: 'binned' | 'removed' | null;
  /** Name of the runner that took it last; null for one that did not begin. */
  runner: string | null;
};

/** In their order. */
export async function listSites({ queries }: Database, batchId: string): Promise<SiteRecord[]> {
  const rows = await queries
    .selectFrom('batchSites')
    .leftJoin('measurements', 'measurements.id', 'batchSites.measurementId')
    .leftJoin('bin', 'bin.measurementId', 'batchSites.measurementId')
    .select(['batchSites.measurementId as id', 'labels', 'environment'])
    .select(['measurements.id as stored', 'deletedAt as binnedAt'])
    .where('batchId', '=', batchId)
    .orderBy('place')
    .execute();
  return rows
    .map((row) => siteSchema.parse(row))
    .map(({ stored, binnedAt, environment, ...site }) => ({
      ...site,
      deleted: stored === null ? 'removed' : binnedAt === null ? null : 'binned',
      runner: environment?.runner?.name ?? null,
    }));
}

/** Once the last of its measurements was removed; a tombstone stays. */
export async function buryEmptyBatch(
  transaction: Transaction<Tables>,
  measurementId: string,
  deletedAt: number,
): Promise<void> {
  const buried = await transaction
    .deleteFrom('batches')
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('batchSites').select('batchId').where('measurementId', '=', measurementId),
    )
    .where('id', 'not in', ({ selectFrom }) =>
      selectFrom('batchSites as left')
        .innerJoin('measurements', 'measurements.id', 'left.measurementId')
        .select('left.batchId'),
    )
    .returning('id')
    .execute();
  for (const { id } of buried) await transaction.insertInto('tombstones').values({ id, deletedAt }).execute();
}
