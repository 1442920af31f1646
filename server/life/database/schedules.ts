import type { Transaction } from 'kysely';
import { z } from 'zod';
import { environmentSchema } from '../../../shared/base/environment.ts';
import { type Problem, problem } from '../../../shared/base/problem.ts';
import { problemSchema } from '../../../shared/base/problem-schema.ts';
import { countSchema, permalinkIdSchema, unixMillisSchema } from '../../../shared/base/units.ts';
import { type Labels, labelsSchema } from '../../../shared/measurement/runner.ts';
import { rhythmSchema, scheduleLimits, scheduleStateSchema } from '../../../shared/results/schedule.ts';
import { type Enroll, insertIn, type NewMeasurement } from './insert-measurement.ts';
import { plainText } from './list-measurements.ts';
import type { Database } from './open-database.ts';
import { jsonText, type Tables } from './packed-text.ts';

const rowSchema = z.object({
  id: permalinkIdSchema,
  createdAt: unixMillisSchema,
  kind: z.string(),
  title: z.string(),
  /** As its kind stored it. */
  request: jsonText(z.unknown()),
  requestHash: z.string(),
  /** Of what it measures. */
  tags: jsonText(z.array(z.string())),
  /** Of what it measures. */
  deleteTokenHash: z.string(),
  rhythm: jsonText(rhythmSchema),
  times: z.int().nullable(),
  lastDay: z.string().nullable(),
  state: scheduleStateSchema,
  nextAt: unixMillisSchema.nullable(),
  measured: countSchema,
  /** When its last time came. */
  lastAt: unixMillisSchema.nullable(),
  /** The newest that it has measured. */
  lastMeasurementId: permalinkIdSchema.nullable(),
  /** Why nothing was measured at the last time. */
  lastProblem: jsonText(problemSchema).nullable(),
  /** ID of the user who made it; null where nobody was signed in. */
  startedBy: permalinkIdSchema.nullable(),
  /** That its runner must have. */
  labels: jsonText(labelsSchema),
});
export type ScheduleRow = z.infer<typeof rowSchema>;

/** Throws too_many_schedules. */
export async function insertSchedule({ queries }: Database, row: ScheduleRow): Promise<void> {
  const { request, tags, labels, rhythm, lastProblem, title, ...columns } = row;
  await queries.transaction().execute(async (transaction) => {
    const { count } = await transaction
      .selectFrom('schedules')
      .select((column) => column.fn.countAll().as('count'))
      .executeTakeFirstOrThrow();
    if (Number(count) >= scheduleLimits.schedules) {
      throw problem('too_many_schedules', `There are ${count} schedules already, as many as can be kept.`);
    }
    await transaction
      .insertInto('schedules')
      .values({
        ...columns,
        title: plainText(title),
        request: JSON.stringify(request),
        tags: JSON.stringify(tags),
        labels: JSON.stringify(labels),
        rhythm: JSON.stringify(rhythm),
        lastProblem: lastProblem === null ? null : JSON.stringify(lastProblem),
      })
      .execute();
  });
}

/** The next one first; those that wait for nothing come last, the newest first. */
export async function listScheduleRows({ queries }: Database): Promise<ScheduleRow[]> {
  const rows = await queries.selectFrom('schedules').selectAll().orderBy('createdAt', 'desc').execute();
  const later = ({ nextAt }: ScheduleRow) => nextAt ?? Number.MAX_SAFE_INTEGER;
  return rows.map((row) => rowSchema.parse(row)).sort((a, b) => later(a) - later(b));
}

/** Throws schedule_not_found. */
export async function findSchedule({ queries }: Database, id: string): Promise<ScheduleRow> {
  const row = await queries.selectFrom('schedules').selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined) throw problem('schedule_not_found', `No schedule has the ID ${id}.`);
  return rowSchema.parse(row);
}

export async function storeScheduleState(
  { queries }: Database,
  id: string,
  { state, nextAt }: Pick<ScheduleRow, 'state' | 'nextAt'>,
): Promise<void> {
  await queries.updateTable('schedules').set({ state, nextAt }).where('id', '=', id).execute();
}

/** Takes the time that is due, so that it is measured once. False when another took it, or the schedule was changed. */
export async function takeTime(
  { queries }: Database,
  { id, nextAt }: Pick<ScheduleRow, 'id' | 'nextAt'>,
  next: Pick<ScheduleRow, 'state' | 'nextAt'>,
): Promise<boolean> {
  const taken = await queries
    .updateTable('schedules')
    .set(next)
    .where('id', '=', id)
    .where('nextAt', '=', nextAt)
    .returning('id')
    .execute();
  return taken.length === 1;
}

/** How a measurement that was due turned out. A schedule that was deleted meanwhile stays deleted. */
export async function storeMeasured(
  { queries }: Database,
  id: string,
  { at, measurementId, ended }: { at: number; measurementId: string; ended: boolean },
): Promise<void> {
  await queries
    .updateTable('schedules')
    .set((column) => ({
      ...{ lastAt: at, lastMeasurementId: measurementId, lastProblem: null },
      ...(ended && { state: 'ended', nextAt: null }),
      measured: column('measured', '+', 1),
    }))
    .where('id', '=', id)
    .execute();
}

/** The same for one at which nothing was measured. */
export async function storeSkipped(
  { queries }: Database,
  id: string,
  { at, why }: { at: number; why: Problem },
): Promise<void> {
  await queries
    .updateTable('schedules')
    .set({ lastAt: at, lastProblem: JSON.stringify(why) })
    .where('id', '=', id)
    .execute();
}

/** Throws schedule_not_found. */
export async function deleteSchedule({ queries }: Database, id: string): Promise<void> {
  const deleted = await queries.deleteFrom('schedules').where('id', '=', id).returning('id').execute();
  if (deleted.length === 0) throw problem('schedule_not_found', `No schedule has the ID ${id}.`);
}

/** The schedules that measurements were made for, by the ID of the measurement. Others are left out. */
export async function listScheduleIds(
  { queries }: Pick<Database, 'queries'>,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await queries.selectFrom('scheduled').selectAll().where('measurementId', 'in', ids).execute();
  return new Map(rows.map(({ measurementId, scheduleId }) => [measurementId, scheduleId]));
}

/** One request for several runners, and which measurement is made for each of them. */

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
  /** Of its measurement. */
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
