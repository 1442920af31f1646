import { z } from 'zod';
import { countSchema, permalinkIdSchema, unixMillisSchema } from '../../../shared/base/units.ts';
import { secretNameSchema } from '../../../shared/scenario/scenario.ts';
import { originSchema, type RevisionLine } from '../../../shared/scenario/stored-scenario.ts';
import { jsonText } from './json-text.ts';
import type { Database } from './open-database.ts';
import { plainText } from './plain-text.ts';
import { packContent, type RevisionContent } from './revisions.ts';

/** What the list shows of a stored scenario; all of it is in its revisions. */
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
      .values({ id, changedAt, deletedAt: null, newest, ...describe(content) })
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
      .set({ changedAt, newest, ...describe(content) })
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

/** Those that are not deleted, the last changed first. */
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

function describe({ scenario, secrets }: RevisionContent) {
  return {
    name: plainText(scenario.name),
    description: plainText(scenario.description),
    steps: scenario.steps.filter(({ enabled }) => enabled).length,
    secrets: JSON.stringify(secrets),
  };
}
