import { z } from 'zod';
import { cacheReportSchema } from '../../shared/cache-report.ts';
import { verdictSchema } from '../../shared/comparison.ts';
import { environmentSchema } from '../../shared/environment.ts';
import { planSchema } from '../../shared/load-profile.ts';
import { preflightReportSchema } from '../../shared/preflight.ts';
import { problemSchema } from '../../shared/problem.ts';
import { runRequestSchema, runStateSchema } from '../../shared/run.ts';
import { scenarioSchema } from '../../shared/scenario.ts';
import { factsOf } from '../../shared/target-facts.ts';
import { permalinkIdSchema, unixMillisSchema } from '../../shared/units.ts';
import { jsonText } from './json-text.ts';
import type { Database } from './open-database.ts';
import { plainText } from './plain-text.ts';
import { upgradePreflight, upgradeSides } from './upgrade-sides.ts';

/** What is known of a run besides its blocks, its events and its document. */
const runRecordSchema = z.object({
  id: permalinkIdSchema,
  createdAt: unixMillisSchema,
  startedAt: unixMillisSchema.nullable(),
  endedAt: unixMillisSchema.nullable(),
  state: runStateSchema,
  request: jsonText(runRequestSchema),
  scenario: jsonText(scenarioSchema),
  plan: jsonText(planSchema),
  environment: jsonText(environmentSchema).nullable(),
  preflight: jsonText(z.preprocess(upgradePreflight, preflightReportSchema)).nullable(),
  cache: jsonText(z.preprocess(upgradeSides, cacheReportSchema)).nullable(),
  verdict: jsonText(verdictSchema).nullable(),
  problem: jsonText(problemSchema).nullable(),
  warnings: jsonText(z.array(z.string())),
  deleteTokenHash: z.string(),
  idempotencyKey: z.string().nullable(),
  requestHash: z.string(),
  revisionId: permalinkIdSchema.nullable(),
});
export type RunRecord = z.infer<typeof runRecordSchema>;

export type NewRun = Pick<
  RunRecord,
  'id' | 'createdAt' | 'request' | 'scenario' | 'plan' | 'deleteTokenHash' | 'idempotencyKey' | 'requestHash'
> & { revisionId?: string | null };

/** False when another run has the same idempotency key; nothing is stored then. */
export async function insertRun(database: Database, run: NewRun): Promise<boolean> {
  const scenarioName = plainText(run.scenario.name);
  const targetName = plainText(factsOf(run.request.target).name);
  const inserted = await database.queries
    .insertInto('runs')
    .values({
      id: run.id,
      createdAt: run.createdAt,
      startedAt: null,
      endedAt: null,
      state: 'queued',
      preset: run.request.preset,
      transports: JSON.stringify(run.request.transports),
      scenarioName,
      targetName,
      searchText: `${scenarioName} ${targetName}`.toLowerCase(),
      deleteTokenHash: run.deleteTokenHash,
      idempotencyKey: run.idempotencyKey,
      requestHash: run.requestHash,
      verdict: null,
      problem: null,
      warnings: '[]',
      request: JSON.stringify(run.request),
      scenario: JSON.stringify(run.scenario),
      plan: JSON.stringify(run.plan),
      environment: null,
      preflight: null,
      cache: null,
      revisionId: run.revisionId ?? null,
    })
    .onConflict((conflict) => conflict.column('idempotencyKey').doNothing())
    .returning('id')
    .execute();
  return inserted.length === 1;
}

export async function findRun(database: Database, id: string): Promise<RunRecord | null> {
  const row = await database.queries.selectFrom('runs').selectAll().where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : runRecordSchema.parse(row);
}

export async function findRunByIdempotencyKey(database: Database, key: string): Promise<RunRecord | null> {
  const row = await database.queries
    .selectFrom('runs')
    .selectAll()
    .where('idempotencyKey', '=', key)
    .executeTakeFirst();
  return row === undefined ? null : runRecordSchema.parse(row);
}

/** Queued and running ones, oldest first: the queue after a restart. */
export async function listUnfinishedRuns(database: Database): Promise<RunRecord[]> {
  const rows = await database.queries
    .selectFrom('runs')
    .selectAll()
    .where('state', 'in', ['queued', 'running'])
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
  return rows.map((row) => runRecordSchema.parse(row));
}

export type RunPatch = Partial<
  Pick<
    RunRecord,
    | 'state'
    | 'startedAt'
    | 'endedAt'
    | 'plan'
    | 'environment'
    | 'preflight'
    | 'cache'
    | 'verdict'
    | 'problem'
    | 'warnings'
  >
>;

/** Stores the fields given and leaves the others. */
export async function updateRun(database: Database, id: string, patch: RunPatch): Promise<void> {
  const { state, startedAt, endedAt, ...objects } = patch;
  const columns = {
    ...(state === undefined ? {} : { state }),
    ...(startedAt === undefined ? {} : { startedAt }),
    ...(endedAt === undefined ? {} : { endedAt }),
    ...Object.fromEntries(
      Object.entries(objects)
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => [name, value === null ? null : JSON.stringify(value)]),
    ),
  };
  if (Object.keys(columns).length === 0) return;
  await database.queries.updateTable('runs').set(columns).where('id', '=', id).execute();
}

/** Deletes the run with its blocks, events and document; a tombstone stays. */
export async function buryRun(database: Database, id: string, deletedAt: number): Promise<void> {
  await database.queries.transaction().execute(async (transaction) => {
    const deleted = await transaction.deleteFrom('runs').where('id', '=', id).returning('id').execute();
    if (deleted.length === 1) await transaction.insertInto('tombstones').values({ id, deletedAt }).execute();
  });
}

export async function isBuried(database: Database, id: string): Promise<boolean> {
  const row = await database.queries
    .selectFrom('tombstones')
    .select('id')
    .where('id', '=', id)
    .executeTakeFirst();
  return row !== undefined;
}
