import { sql, type Transaction } from 'kysely';
import { z } from 'zod';
import { type Environment, environmentSchema } from '../../../shared/base/environment.ts';
import { type Labels, labelsSchema } from '../../../shared/measurement/runner.ts';
import { signal } from './events.ts';
import { claimMeasurement, findMeasurement, type MeasurementRecord } from './measurements.ts';
import type { Database } from './open-database.ts';
import { jsonText, type Tables } from './packed-text.ts';
import type { Wanted } from './tickets.ts';

/** Who has which measurement, in a database that several processes share. Whoever takes one raises its fence. */

/** How a process asks another one to end its measurement. */
const wishes = ['cancel', 'discard', 'stop'] as const;
export type Wish = (typeof wishes)[number];

/**
 * In the transaction that stores the measurement.
 * @param session of the runner that has it from the beginning; null where it waits for any that fits
 */
export async function assign(
  database: Database,
  transaction: Transaction<Tables>,
  measurementId: string,
  { version, labels }: Wanted,
  session: string | null,
): Promise<void> {
  const row = { labels: JSON.stringify(labels), session, wish: null };
  await transaction
    .insertInto('assignments')
    .values({ ...row, measurementId, taken: 0 })
    .onConflict((conflict) => conflict.column('measurementId').doUpdateSet(row))
    .execute();
  if (session === null) await database.shared?.tickets.add(transaction, measurementId, { version, labels });
  await signal(database, transaction, { about: 'queue', id: measurementId });
}

/** The next one that waits for such a runner, which has it from now on; null when none does. */
export async function takeNext(
  database: Database,
  session: string,
  runner: Wanted,
): Promise<MeasurementRecord | null> {
  const { queries, shared } = database;
  if (shared === null) return null;
  const id = await queries.transaction().execute(async (transaction) => {
    for (;;) {
      const next = await shared.tickets.take(transaction, runner);
      if (next === null) return null;
      // It was canceled while it waited.
      if ((await claimMeasurement({ queries: transaction }, next, ['queued'])) === null) continue;
      await transaction
        .updateTable('assignments')
        .set((column) => ({ session, taken: column('taken', '+', 1) }))
        .where('measurementId', '=', next)
        .execute();
      await signal(database, transaction, { about: 'queue', id: next });
      return next;
    }
  });
  return id === null ? null : findMeasurement(database, id);
}

/**
 * Takes one from the session that has it, or from the queue where that is null. Null when it is over or another one was faster.
 */
export async function takeFrom(
  database: Database,
  measurementId: string,
  from: string | null,
  session: string,
): Promise<MeasurementRecord | null> {
  const taken = await database.queries
    .transaction()
    .execute(async (transaction) => {
      if ((await claimMeasurement({ queries: transaction }, measurementId)) === null) return false;
      const moved = await transaction
        .updateTable('assignments')
        .set({ session })
        .where('measurementId', '=', measurementId)
        .where('session', from === null ? 'is' : '=', from)
        .returning('measurementId')
        .execute();
      if (moved.length === 0) throw new NotTaken();
      await signal(database, transaction, { about: 'queue', id: measurementId });
      return true;
    })
    .catch((error: unknown) => {
      if (error instanceof NotTaken) return false;
      throw error;
    });
  return taken ? findMeasurement(database, measurementId) : null;
}

/** Rolls back. */
class NotTaken extends Error {}

/** Queues one again that this session has, before all others; its log says so. */
export async function giveBack(
  database: Database,
  { id, fence }: { id: string; fence: number },
  wanted: Wanted,
): Promise<void> {
  await database.queries.transaction().execute(async (transaction) => {
    const queued = await transaction
      .updateTable('measurements')
      .set((column) => ({ state: 'queued', fence: column('fence', '+', 1) }))
      .where('id', '=', id)
      .where('fence', '=', fence)
      .where('state', 'in', ['queued', 'running'])
      .returning('id')
      .execute();
    if (queued.length === 0) return;
    await transaction
      .updateTable('assignments')
      .set({ session: null })
      .where('measurementId', '=', id)
      .execute();
    const body = JSON.stringify({ type: 'state', state: 'queued', queuePosition: 1 });
    await sql`insert into events (measurement_id, id, body)
      select ${id}, coalesce(max(id), 0) + 1, ${body} from events where measurement_id = ${id}`.execute(
      transaction,
    );
    await database.shared?.tickets.add(transaction, id, wanted, true);
    await signal(database, transaction, { about: 'events', id });
    await signal(database, transaction, { about: 'queue', id });
  });
}

const assignmentSchema = z.object({
  id: z.string(),
  kind: z.string(),
  title: z.string(),
  state: z.enum(['queued', 'running']),
  labels: jsonText(labelsSchema),
  session: z.string().nullable(),
  taken: z.int(),
  wish: z.enum(wishes).nullable(),
});
export type Assignment = z.infer<typeof assignmentSchema>;

/** Assignments of measurements that have not ended, oldest first. */
export async function listAssignments({ queries }: Database): Promise<Assignment[]> {
  const rows = await queries
    .selectFrom('measurements')
    .innerJoin('assignments', 'assignments.measurementId', 'measurements.id')
    .select(['id', 'kind', 'title', 'state', 'labels', 'session', 'taken', 'wish'])
    .where('state', 'in', ['queued', 'running'])
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
  return rows.map((row) => assignmentSchema.parse(row));
}

/** Asks whoever has it, now or next. */
export async function wishFor(database: Database, measurementId: string, wish: Wish): Promise<void> {
  await database.queries.transaction().execute(async (transaction) => {
    await transaction
      .updateTable('assignments')
      .set({ wish })
      .where('measurementId', '=', measurementId)
      .execute();
    await signal(database, transaction, { about: 'wish', id: measurementId });
  });
}

/** Labels that a measurement was requested with, ended or not. */
export async function findLabels({ queries }: Database, measurementId: string): Promise<Labels> {
  const row = await queries
    .selectFrom('assignments')
    .select('labels')
    .where('measurementId', '=', measurementId)
    .executeTakeFirst();
  return row === undefined ? {} : jsonText(labelsSchema).parse(row.labels);
}

/** Processes that measure, as the database knows them. */

const rowSchema = z.object({
  name: z.string(),
  session: z.string(),
  labels: jsonText(labelsSchema),
  version: z.string(),
  machine: jsonText(environmentSchema),
  beat: z.int(),
  seenAt: z.int(),
  leftAt: z.int().nullable(),
});
export type RunnerRow = z.infer<typeof rowSchema>;

export type NewRunner = Pick<RunnerRow, 'name' | 'session' | 'labels' | 'version'> & {
  machine: Environment;
};

export async function listRunnerRows({ queries }: Database): Promise<RunnerRow[]> {
  const rows = await queries.selectFrom('runners').selectAll().orderBy('name').execute();
  return rows.map((row) => rowSchema.parse(row));
}

/** Takes the name, if it is free or `from` has it, which was looked at before. False when another one was faster. */
export async function registerRunner(
  { queries }: Database,
  { labels, machine, ...runner }: NewRunner,
  from: string | null,
  now: number,
): Promise<boolean> {
  const row = {
    ...runner,
    ...{ labels: JSON.stringify(labels), machine: JSON.stringify(machine) },
    ...{ beat: 0, seenAt: now, leftAt: null },
  };
  const stored =
    from === null
      ? await queries
          .insertInto('runners')
          .values(row)
          .onConflict((conflict) => conflict.column('name').doNothing())
          .returning('name')
          .execute()
      : await queries
          .updateTable('runners')
          .set(row)
          .where('name', '=', row.name)
          .where('session', '=', from)
          .returning('name')
          .execute();
  return stored.length === 1;
}

/** Says that it lives. False when another one has its name by now. */
export async function beatRunner({ queries }: Database, session: string, now: number): Promise<boolean> {
  const beaten = await queries
    .updateTable('runners')
    .set((column) => ({ beat: column('beat', '+', 1), seenAt: now }))
    .where('session', '=', session)
    .returning('name')
    .execute();
  return beaten.length === 1;
}

export async function leaveRunner({ queries }: Database, session: string, now: number): Promise<void> {
  await queries
    .updateTable('runners')
    .set({ seenAt: now, leftAt: now })
    .where('session', '=', session)
    .execute();
}

/** For one that nobody else is to look for. */
export async function removeRunner({ queries }: Database, session: string): Promise<void> {
  await queries.deleteFrom('runners').where('session', '=', session).execute();
}

/** Takes them out of the list for good. */
export async function forgetRunners({ queries }: Database, sessions: readonly string[]): Promise<void> {
  await queries.deleteFrom('runners').where('session', 'in', sessions).execute();
}
