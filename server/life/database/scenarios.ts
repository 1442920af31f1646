import { sql } from 'kysely';
import { z } from 'zod';
import { countSchema, permalinkIdSchema, unixMillisSchema } from '../../../shared/base/units.ts';
import type { MetricId } from '../../../shared/kinds/comparison/metric.ts';
import { questionIdSchema } from '../../../shared/results/summary.ts';
import { secretNameSchema } from '../../../shared/scenario/scenario.ts';
import {
  originSchema,
  type Revision,
  type RevisionLine,
  revisionLineSchema,
  revisionSchema,
} from '../../../shared/scenario/stored-scenario.ts';
import { continuedRuns, figuresOfRuns, ratioSchema, ratiosOfRuns } from './figures.ts';
import { matchesWord, type PageQuery, pageOf, parseCursor, plainText, wordsOf } from './list-measurements.ts';
import type { Database } from './open-database.ts';
import { type FigureTables, jsonText, packText, unpackText } from './packed-text.ts';

/** Revisions of stored scenarios: written once, then only read, until their scenario is deleted. */

const contentSchema = revisionSchema.pick({
  scenario: true,
  site: true,
  actions: true,
  unsupported: true,
  secrets: true,
});
export type RevisionContent = z.infer<typeof contentSchema>;

async function packContent(content: RevisionContent): Promise<Uint8Array> {
  return packText(JSON.stringify(content));
}

export async function findRevision(database: Database, id: string): Promise<Revision | null> {
  const row = await database.queries
    .selectFrom('revisions')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : readRevision(row);
}

/** The newest of a scenario. */
export async function findNewestRevision(database: Database, scenarioId: string): Promise<Revision | null> {
  const row = await database.queries
    .selectFrom('revisions')
    .selectAll()
    .where('scenarioId', '=', scenarioId)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : readRevision(row);
}

/** Newest first. */
export async function listRevisions(database: Database, scenarioId: string): Promise<RevisionLine[]> {
  const rows = await database.queries
    .selectFrom('revisions')
    .select(['id', 'number', 'createdAt', 'origin'])
    .where('scenarioId', '=', scenarioId)
    .orderBy('number', 'desc')
    .execute();
  return rows.map((row) => revisionLineSchema.parse(row));
}

async function readRevision({ body, ...line }: Record<string, unknown>): Promise<Revision> {
  const text = await unpackText(z.instanceof(Uint8Array).parse(body));
  return revisionSchema.parse({ ...line, ...jsonText(contentSchema).parse(text) });
}

/** Columns of a stored scenario in the list. Its revisions contain the rest. */
const scenarioRecordSchema = z.object({
  id: permalinkIdSchema,
  deletedAt: unixMillisSchema.nullable(),
  /** Number of the newest revision. */
  newest: z.int().positive(),
  name: z.string(),
  description: z.string(),
  steps: countSchema,
  secrets: jsonText(z.array(secretNameSchema)),
});
type ScenarioRecord = z.infer<typeof scenarioRecordSchema>;

const listedSchema = scenarioRecordSchema.extend({
  revisionId: permalinkIdSchema,
  createdAt: unixMillisSchema,
  origin: originSchema,
});
type ListedScenario = z.infer<typeof listedSchema>;

export async function insertScenario(
  database: Database,
  id: string,
  revision: RevisionLine,
  content: RevisionContent,
): Promise<void> {
  const body = await packContent(content);
  await database.queries.transaction().execute(async (transaction) => {
    const { number: newest, createdAt: changedAt } = revision;
    await transaction
      .insertInto('scenarios')
      .values({ id, changedAt, deletedAt: null, newest, ...describeRevision(content) })
      .execute();
    await transaction
      .insertInto('revisions')
      .values({ ...revision, scenarioId: id, body })
      .execute();
  });
}

/** False when the scenario has gone, or has another revision of that number by now; nothing is stored then. */
export async function appendRevision(
  database: Database,
  id: string,
  revision: RevisionLine,
  content: RevisionContent,
): Promise<boolean> {
  const body = await packContent(content);
  return database.queries.transaction().execute(async (transaction) => {
    const { number: newest, createdAt: changedAt } = revision;
    const changed = await transaction
      .updateTable('scenarios')
      .set({ changedAt, newest, ...describeRevision(content) })
      .where('id', '=', id)
      .where('deletedAt', 'is', null)
      .where('newest', '=', newest - 1)
      .returning('id')
      .execute();
    if (changed.length === 0) return false;
    await transaction
      .insertInto('revisions')
      .values({ ...revision, scenarioId: id, body })
      .execute();
    return true;
  });
}

/** Deleted ones included, so that their addresses say "gone" rather than "unknown". */
export async function findScenario(database: Database, id: string): Promise<ScenarioRecord | null> {
  const row = await database.queries
    .selectFrom('scenarios')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : scenarioRecordSchema.parse(row);
}

/** Stored scenarios that are not deleted, the last changed first. */
export async function listScenarios(database: Database): Promise<ListedScenario[]> {
  const rows = await database.queries
    .selectFrom('scenarios')
    .innerJoin('revisions', (join) =>
      join
        .onRef('revisions.scenarioId', '=', 'scenarios.id')
        .onRef('revisions.number', '=', 'scenarios.newest'),
    )
    .selectAll('scenarios')
    .select(['revisions.id as revisionId', 'revisions.createdAt', 'revisions.origin'])
    .where('scenarios.deletedAt', 'is', null)
    .orderBy('scenarios.changedAt', 'desc')
    .orderBy('scenarios.id')
    .execute();
  return rows.map((row) => listedSchema.parse(row));
}

export async function countScenarios(database: Database): Promise<number> {
  const { count } = await database.queries
    .selectFrom('scenarios')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('deletedAt', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Its revisions go as well, but for those that a run used: they are what the run's permalink rests on. */
export async function deleteScenario(database: Database, id: string, deletedAt: number): Promise<void> {
  await database.queries.transaction().execute(async (transaction) => {
    await transaction.updateTable('scenarios').set({ deletedAt }).where('id', '=', id).execute();
    await transaction
      .deleteFrom('revisions')
      .where('scenarioId', '=', id)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('measurements')
              .select('measurements.id')
              .whereRef('measurements.revisionId', '=', 'revisions.id'),
          ),
        ),
      )
      .execute();
  });
}

function describeRevision({ scenario, secrets }: RevisionContent) {
  return {
    name: plainText(scenario.name),
    description: plainText(scenario.description),
    steps: scenario.steps.filter(({ enabled }) => enabled).length,
    secrets: JSON.stringify(secrets),
  };
}

/** Questions by what their finished runs left in the history; what is in the bin has left it. */

const questionSchema = z.object({
  question: questionIdSchema,
  runs: z.coerce.number().int(),
  newestAt: z.coerce.number().pipe(unixMillisSchema),
});
export type QuestionRow = z.infer<typeof questionSchema>;

/** The one that was asked last comes first. With words, those of which a run has them all. Throws invalid_request. */
export async function listQuestions(
  { queries }: Database,
  { q = '', limit, cursor }: PageQuery & { q?: string | undefined },
): Promise<{ page: QuestionRow[]; nextCursor: string | null }> {
  let rows = queries
    .withTables<FigureTables>()
    .selectFrom('measurements')
    .innerJoin('metricFigures', 'metricFigures.measurementId', 'measurements.id')
    .leftJoin('annotations', 'annotations.measurementId', 'measurements.id')
    .select(({ fn }) => [
      'question',
      fn.count('measurements.id').distinct().as('runs'),
      fn.max('createdAt').as('newestAt'),
    ])
    .where('state', '=', 'finished')
    .where('measurements.id', 'not in', continuedRuns({ queries }))
    .groupBy('question')
    .orderBy('newestAt', 'desc')
    .orderBy('question', 'desc')
    .limit(limit + 1);
  for (const word of wordsOf(q)) rows = rows.where(matchesWord(word));
  if (cursor !== undefined) {
    const { at, id } = parseCursor(cursor);
    rows = rows.having(sql<boolean>`(max(created_at), question) < (${at}, ${id})`);
  }
  const found = (await rows.execute()).map((row) => questionSchema.parse(row));
  return pageOf(found, limit, ({ newestAt: at, question: id }) => ({ at, id }));
}

export async function findNewestRun(database: Database, question: string): Promise<string | null> {
  const row = await figuresOfRuns(database)
    .select('measurements.id')
    .where('question', '=', question)
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** The newest runs that have a figure of a metric, oldest first. */
export async function listTrend(database: Database, question: string, metric: MetricId, limit: number) {
  const rows = await ratiosOfRuns(database, question, metric).limit(limit).execute();
  return rows.map((row) => ratioSchema.parse(row)).reverse();
}
