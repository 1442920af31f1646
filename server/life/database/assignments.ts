import { sql, type Transaction } from 'kysely';
import { z } from 'zod';
import { type Labels, labelsSchema } from '../../../shared/measurement/runner.ts';
import { jsonText } from './json-text.ts';
import { claimMeasurement, findMeasurement, type MeasurementRecord } from './measurements.ts';
import type { Database } from './open-database.ts';
import { signal } from './signal.ts';
import type { Tables } from './tables.ts';
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

/** Of what is not over, oldest first. */
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

/** What a measurement was asked for with, over or not. */
export async function findLabels({ queries }: Database, measurementId: string): Promise<Labels> {
  const row = await queries
    .selectFrom('assignments')
    .select('labels')
    .where('measurementId', '=', measurementId)
    .executeTakeFirst();
  return row === undefined ? {} : jsonText(labelsSchema).parse(row.labels);
}
