import { sql } from 'kysely';
import { z } from 'zod';
import { labRequestSchema } from '../../shared/lab-document.ts';
import { labSummarySchema } from '../../shared/lab-summary.ts';
import { type Problem, problemSchema } from '../../shared/problem.ts';
import { type RunState, runStateSchema } from '../../shared/run.ts';
import { permalinkIdSchema, unixMillisSchema } from '../../shared/units.ts';
import { jsonText } from './json-text.ts';
import type { Database } from './open-database.ts';
import { parseCursor, printCursor } from './page-cursor.ts';

/** What is known of a measurement of the lab besides its events and its document. */
const labRecordSchema = z.object({
  id: permalinkIdSchema,
  createdAt: unixMillisSchema,
  startedAt: unixMillisSchema.nullable(),
  endedAt: unixMillisSchema.nullable(),
  state: runStateSchema,
  title: z.string(),
  deleteTokenHash: z.string(),
  idempotencyKey: z.string().nullable(),
  requestHash: z.string(),
  problem: jsonText(problemSchema).nullable(),
  request: jsonText(labRequestSchema),
});
export type LabRecord = z.infer<typeof labRecordSchema>;

export type NewLab = Pick<
  LabRecord,
  'id' | 'createdAt' | 'title' | 'request' | 'deleteTokenHash' | 'idempotencyKey' | 'requestHash'
>;

/** False when another one has the same idempotency key; nothing is stored then. */
export async function insertLab(database: Database, lab: NewLab): Promise<boolean> {
  const inserted = await database.queries
    .insertInto('labs')
    .values({
      ...lab,
      startedAt: null,
      endedAt: null,
      state: 'queued',
      kind: lab.request.kind,
      problem: null,
      request: JSON.stringify(lab.request),
    })
    .onConflict((conflict) => conflict.column('idempotencyKey').doNothing())
    .returning('id')
    .execute();
  return inserted.length === 1;
}

export async function findLab(database: Database, id: string): Promise<LabRecord | null> {
  const row = await database.queries.selectFrom('labs').selectAll().where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : labRecordSchema.parse(row);
}

export async function findLabByIdempotencyKey(database: Database, key: string): Promise<LabRecord | null> {
  const row = await database.queries
    .selectFrom('labs')
    .selectAll()
    .where('idempotencyKey', '=', key)
    .executeTakeFirst();
  return row === undefined ? null : labRecordSchema.parse(row);
}

/** Queued and running ones, oldest first: the queue after a restart. */
export async function listUnfinishedLabs(database: Database): Promise<LabRecord[]> {
  const rows = await database.queries
    .selectFrom('labs')
    .selectAll()
    .where('state', 'in', ['queued', 'running'])
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
  return rows.map((row) => labRecordSchema.parse(row));
}

export type LabPatch = { state: RunState; startedAt?: number; endedAt?: number; problem?: Problem | null };

export async function updateLab(
  database: Database,
  id: string,
  { problem: why, ...patch }: LabPatch,
): Promise<void> {
  const columns = {
    ...patch,
    ...(why === undefined ? {} : { problem: why === null ? null : JSON.stringify(why) }),
  };
  await database.queries.updateTable('labs').set(columns).where('id', '=', id).execute();
}

/** Deletes it with its events and document; a tombstone stays. */
export async function buryLab(database: Database, id: string, deletedAt: number): Promise<void> {
  await database.queries.transaction().execute(async (transaction) => {
    const deleted = await transaction.deleteFrom('labs').where('id', '=', id).returning('id').execute();
    if (deleted.length === 1) await transaction.insertInto('tombstones').values({ id, deletedAt }).execute();
  });
}

const storedSummarySchema = labSummarySchema
  .omit({ queuePosition: true, problem: true })
  .extend({ problem: jsonText(problemSchema).nullable() });
export type StoredLabSummary = z.infer<typeof storedSummarySchema>;

/** Newest first, a page at a time; the cursor is the last one of a page. */
export async function listLabs(
  database: Database,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<{ labs: StoredLabSummary[]; nextCursor: string | null }> {
  let rows = database.queries
    .selectFrom('labs')
    .select(['id', 'kind', 'title', 'state', 'createdAt', 'endedAt', 'problem'])
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1);
  if (cursor !== undefined) {
    const { createdAt, id } = parseCursor(cursor);
    rows = rows.where(sql<boolean>`(created_at, id) < (${createdAt}, ${id})`);
  }
  const found = (await rows.execute()).map((row) => storedSummarySchema.parse(row));
  const labs = found.slice(0, limit);
  const last = labs.at(-1);
  return {
    labs,
    nextCursor: found.length > limit && last !== undefined ? printCursor(last) : null,
  };
}
