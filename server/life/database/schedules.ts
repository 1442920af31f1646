import { z } from 'zod';
import { type Problem, problem } from '../../../shared/base/problem.ts';
import { problemSchema } from '../../../shared/base/problem-schema.ts';
import { countSchema, permalinkIdSchema, unixMillisSchema } from '../../../shared/base/units.ts';
import { labelsSchema } from '../../../shared/measurement/runner.ts';
import { rhythmSchema, scheduleLimits, scheduleStateSchema } from '../../../shared/results/schedule.ts';
import { plainText } from './list-measurements.ts';
import type { Database } from './open-database.ts';
import { jsonText } from './packed-text.ts';

const rowSchema = z.object({
  id: permalinkIdSchema,
  createdAt: unixMillisSchema,
  kind: z.string(),
  title: z.string(),
  /** Request in the form that its kind stores. */
  request: jsonText(z.unknown()),
  requestHash: z.string(),
  /** Tags of its measurements. */
  tags: jsonText(z.array(z.string())),
  /** Hash of the token that deletes its measurements. */
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
