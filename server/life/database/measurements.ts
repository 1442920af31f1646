import type { Transaction } from 'kysely';
import { z } from 'zod';
import { type Environment, environmentSchema } from '../../../shared/base/environment.ts';
import { type Problem, ProblemError, problem } from '../../../shared/base/problem.ts';
import { problemSchema } from '../../../shared/base/problem-schema.ts';
import { permalinkIdSchema, unixMillisSchema } from '../../../shared/base/units.ts';
import { verdictOutcomeSchema } from '../../../shared/kinds/comparison/comparison.ts';
import type { Figures } from '../../../shared/measurement/history-view.ts';
import { type MeasurementState, measurementStateSchema } from '../../../shared/measurement/measurement.ts';
import { declaredViews, figuresVersion } from '../../../shared/results/history.ts';
import { buryEmptyBatch } from './batches.ts';
import { type Enroll, lockMeasurement, storeStarter } from './insert-measurement.ts';
import { plainText } from './list-measurements.ts';
import type { Database } from './open-database.ts';
import { jsonText, packText, type Tables, unpackText } from './packed-text.ts';

/** Columns of a measurement, without its blocks, its events and its document. Its kind parses the unknown ones. */
const recordSchema = z.object({
  id: permalinkIdSchema,
  kind: z.string(),
  createdAt: unixMillisSchema,
  startedAt: unixMillisSchema.nullable(),
  endedAt: unixMillisSchema.nullable(),
  state: measurementStateSchema,
  fence: z.int(),
  title: z.string(),
  deleteTokenHash: z.string(),
  requestHash: z.string(),
  revisionId: permalinkIdSchema.nullable(),
  summary: jsonText(z.record(z.string(), z.unknown())),
  problem: jsonText(problemSchema).nullable(),
  request: jsonText(z.unknown()),
  facts: jsonText(z.unknown()),
  environment: jsonText(environmentSchema).nullable(),
});
export type MeasurementRecord = z.infer<typeof recordSchema>;

export async function findMeasurement(
  { queries }: Database,
  value: string,
  by: 'id' | 'idempotencyHash' = 'id',
): Promise<MeasurementRecord | null> {
  const row = await queries.selectFrom('measurements').selectAll().where(by, '=', value).executeTakeFirst();
  return row === undefined ? null : recordSchema.parse(row);
}

/** Queues one that ended early again, with its blocks and the log up to its end. False where it is not over, in the bin, or gone. */
export async function reopenMeasurement(
  database: Database,
  id: string,
  enroll: Enroll = async () => {},
  startedBy: string | null = null,
): Promise<boolean> {
  return await database.queries.transaction().execute(async (transaction) => {
    // A concurrent move to the bin has either finished by now or sees the new fence.
    await lockMeasurement(transaction, id);
    const reopened = await transaction
      .updateTable('measurements')
      .set((column) => ({
        ...{ state: 'queued', endedAt: null, verdict: null, problem: null },
        fence: column('fence', '+', 1),
      }))
      .where('id', '=', id)
      .where('state', 'in', ['incomplete', 'interrupted', 'failed'])
      .where('id', 'not in', ({ selectFrom }) => selectFrom('bin').select('bin.measurementId'))
      .returning('id')
      .execute();
    if (reopened.length === 0) return false;
    await storeStarter(transaction, id, startedBy);
    await transaction.deleteFrom('documents').where('measurementId', '=', id).execute();
    await storeFigures(transaction, id, null);
    await transaction
      .deleteFrom('events')
      .where('measurementId', '=', id)
      .where('body', 'like', '%"type":"end"%')
      .execute();
    await enroll(transaction);
    return true;
  });
}

const stateSchema = recordSchema.pick({ kind: true, state: true });

/** The narrow part of a record, for what is asked often. */
export async function findState(database: Database, id: string): Promise<z.infer<typeof stateSchema> | null> {
  const row = await database.queries
    .selectFrom('measurements')
    .select(['kind', 'state'])
    .where('id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : stateSchema.parse(row);
}

/** Queued and running ones, oldest first: the queue after a restart. */
export async function listUnfinished(database: Database): Promise<MeasurementRecord[]> {
  const rows = await database.queries
    .selectFrom('measurements')
    .selectAll()
    .where('state', 'in', ['queued', 'running'])
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
  return rows.map((row) => recordSchema.parse(row));
}

/** The same by ID only. */
export async function listUnfinishedIds({ queries }: Database): Promise<string[]> {
  const rows = await queries
    .selectFrom('measurements')
    .select('id')
    .where('state', 'in', ['queued', 'running'])
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Takes a measurement from whoever had it: writes with the fence of before are refused from now on. Null when it is gone
 * or in another state.
 */
export async function claimMeasurement(
  { queries }: Pick<Database, 'queries'>,
  id: string,
  states: readonly MeasurementState[] = ['queued', 'running'],
): Promise<Claim | null> {
  const [row] = await queries
    .updateTable('measurements')
    .set((column) => ({ fence: column('fence', '+', 1) }))
    .where('id', '=', id)
    .where('state', 'in', states)
    .returning('fence')
    .execute();
  return row === undefined ? null : { id, fence: row.fence };
}

export async function storeStart(
  database: Database,
  claim: Claim,
  { startedAt, environment }: { startedAt: number; environment: Environment },
): Promise<void> {
  await fenced(database, claim, (transaction) =>
    transaction
      .updateTable('measurements')
      .set({ state: 'running', startedAt, environment: JSON.stringify(environment) })
      .where('id', '=', claim.id)
      .execute(),
  );
}

/** Replaces what its kind noted before. */
export async function storeFacts(database: Database, claim: Claim, facts: unknown): Promise<void> {
  await fenced(database, claim, (transaction) =>
    transaction
      .updateTable('measurements')
      .set({ facts: JSON.stringify(facts) })
      .where('id', '=', claim.id)
      .execute(),
  );
}

/** Records that measuring is done. If the process is lost after that, the measurement still ends as finished. */
export async function storeMeasured(database: Database, claim: Claim, endedAt: number): Promise<void> {
  await fenced(database, claim, (transaction) =>
    transaction.updateTable('measurements').set({ endedAt }).where('id', '=', claim.id).execute(),
  );
}

export type Ending = {
  state: MeasurementRecord['state'];
  endedAt: number;
  problem: Problem | null;
  summary: object;
  schemaVersion: number;
  /** The document as JSON, stored byte for byte. */
  text: string;
  /** Its rows in the history; null if its kind has none. */
  figures: Figures | null;
};

/** The document, its rows in the history, and the end: all or nothing. A second time replaces the first. */
export async function storeEnding(database: Database, claim: Claim, ending: Ending): Promise<void> {
  const { state, endedAt, problem: why, summary, schemaVersion, text, figures } = ending;
  const body = await packText(text);
  await fenced(database, claim, async (transaction) => {
    await transaction
      .insertInto('documents')
      .values({ measurementId: claim.id, schemaVersion, body, figuresVersion })
      .onConflict((conflict) =>
        conflict.column('measurementId').doUpdateSet((row) => ({
          schemaVersion: row.ref('excluded.schemaVersion'),
          body: row.ref('excluded.body'),
          figuresVersion: row.ref('excluded.figuresVersion'),
        })),
      )
      .execute();
    await storeFigures(transaction, claim.id, figures);
    const problem = why === null ? null : JSON.stringify(why);
    await transaction
      .updateTable('measurements')
      .set({
        state,
        endedAt,
        problem,
        summary: JSON.stringify(summary),
        verdict: outcomeIn(summary),
        continues: continuesIn(summary),
      })
      .where('id', '=', claim.id)
      .execute();
  });
}

const verdictSchema = z.object({ outcome: verdictOutcomeSchema });
const judgedSchema = z.object({ verdict: verdictSchema, found: verdictSchema.optional() });

/** The one that lists show. Null of kinds that have no verdict, and of one that came to none. */
function outcomeIn(summary: object): string | null {
  const { verdict, found } = judgedSchema.safeParse(summary).data ?? {};
  return (found ?? verdict)?.outcome ?? null;
}

const continuingSchema = z.object({ continues: permalinkIdSchema });

function continuesIn(summary: object): string | null {
  return continuingSchema.safeParse(summary).data?.continues ?? null;
}

/** Removes it with its blocks, events, document, figures and annotation; a tombstone stays. */
export async function buryMeasurement(database: Database, id: string, deletedAt: number): Promise<void> {
  await database.queries.transaction().execute((transaction) => buryIn(transaction, id, deletedAt));
}

/** A batch of which nothing is left goes with it. */
export async function buryIn(transaction: Transaction<Tables>, id: string, deletedAt: number): Promise<void> {
  const deleted = await transaction.deleteFrom('measurements').where('id', '=', id).returning('id').execute();
  if (deleted.length === 0) return;
  await transaction.insertInto('tombstones').values({ id, deletedAt }).execute();
  await buryEmptyBatch(transaction, id, deletedAt);
}

export async function isBuried(database: Database, id: string): Promise<boolean> {
  const row = await database.queries
    .selectFrom('tombstones')
    .select('id')
    .where('id', '=', id)
    .executeTakeFirst();
  return row !== undefined;
}

/** A measurement as the server that has it may write it: until another one takes it, which raises its fence. */
export type Claim = { id: string; fence: number };

/**
 * Writes in one transaction, if the claim still holds. A write that was thought to have failed may be repeated.
 * Throws claim_lost.
 */
export async function fenced(
  { queries }: Database,
  { id, fence }: Claim,
  write: (transaction: Transaction<Tables>) => Promise<unknown>,
): Promise<void> {
  await queries.transaction().execute(async (transaction) => {
    // The update locks the row, so nobody takes the measurement before the commit.
    const held = await transaction
      .updateTable('measurements')
      .set({ fence })
      .where('id', '=', id)
      .where('fence', '=', fence)
      .returning('id')
      .execute();
    if (held.length === 0)
      throw problem('claim_lost', 'Another server has taken this run, or it was deleted.');
    await write(transaction);
  });
}

export function isClaimLost(error: unknown): boolean {
  return error instanceof ProblemError && error.problem.code === 'claim_lost';
}

/** `packed` is the Brotli of its text. `unpack` throws database_damaged. */
type StoredDocument = { schemaVersion: number; packed: Uint8Array; unpack: () => Promise<string> };

const rowSchema = z.object({ schemaVersion: z.int().positive(), body: z.instanceof(Uint8Array) });

/** A document as it was stored, byte for byte; `storeEnding` writes it. */
export async function readDocument(
  database: Database,
  measurementId: string,
): Promise<StoredDocument | null> {
  const row = await database.queries
    .selectFrom('documents')
    .select(['schemaVersion', 'body'])
    .where('measurementId', '=', measurementId)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { schemaVersion, body } = rowSchema.parse(row);
  return { schemaVersion, packed: body, unpack: () => unpackText(body) };
}

/** How many measurements there are of each kind in each state. What is in the bin does not count. */
export async function countMeasurements({
  queries,
}: Database): Promise<{ kind: string; state: string; count: number }[]> {
  const rows = await queries
    .selectFrom('measurements')
    .select(({ fn }) => ['kind', 'state', fn.countAll().as('count')])
    .where('id', 'not in', ({ selectFrom }) => selectFrom('bin').select('bin.measurementId'))
    .groupBy(['kind', 'state'])
    .execute();
  return rows.map(({ kind, state, count }) => ({ kind, state, count: Number(count) }));
}

/** SQLite binds up to 32,766 values to a statement; this leaves room for wider rows. */
const rowsAtOnce = 200;

/** Replaces what its document said before. Its document is stored in the same transaction. */
export async function storeFigures(
  transaction: Transaction<Tables>,
  measurementId: string,
  figures: Figures | null,
): Promise<void> {
  const queries = transaction.withoutPlugins().withTables<Record<string, Record<string, unknown>>>();
  for (const { table } of declaredViews) {
    await queries.deleteFrom(table).where('measurement_id', '=', measurementId).execute();
  }
  if (figures === null) return;
  const rows = figures.rows.map((row, place) => ({
    measurement_id: measurementId,
    place,
    ...Object.fromEntries(Object.entries(row).map(([name, value]) => [name, storable(value)])),
  }));
  for (let at = 0; at < rows.length; at += rowsAtOnce) {
    await queries
      .insertInto(figures.view.table)
      .values(rows.slice(at, at + rowsAtOnce))
      .execute();
  }
}

export async function markFigures(transaction: Transaction<Tables>, measurementId: string): Promise<void> {
  await transaction
    .updateTable('documents')
    .set({ figuresVersion })
    .where('measurementId', '=', measurementId)
    .execute();
}

function storable(value: string | number | null): string | number | null {
  return typeof value === 'string' ? plainText(value) : value;
}
