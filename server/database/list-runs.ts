import { sql } from 'kysely';
import { z } from 'zod';
import type { RunListQuery } from '../../shared/api.ts';
import { verdictSchema } from '../../shared/comparison.ts';
import { presetSchema } from '../../shared/load-profile.ts';
import { problemSchema } from '../../shared/problem.ts';
import { type RunSummary, runStateSchema } from '../../shared/run.ts';
import { transportPairSchema } from '../../shared/transport.ts';
import { permalinkIdSchema, unixMillisSchema } from '../../shared/units.ts';
import { jsonText } from './json-text.ts';
import type { Database } from './open-database.ts';
import { parseCursor, printCursor } from './page-cursor.ts';

/** A summary as stored: the place in the queue is not, as it changes with every run that ends. */
export type StoredSummary = Omit<RunSummary, 'queuePosition'>;

export type RunPage = { runs: StoredSummary[]; nextCursor: string | null };

const summaryColumns = [
  'id',
  'state',
  'createdAt',
  'endedAt',
  'scenarioName',
  'targetName',
  'preset',
  'transports',
  'verdict',
  'problem',
] as const;

const summarySchema = z
  .object({
    id: permalinkIdSchema,
    state: runStateSchema,
    createdAt: unixMillisSchema,
    endedAt: unixMillisSchema.nullable(),
    scenarioName: z.string(),
    targetName: z.string(),
    preset: presetSchema,
    transports: jsonText(transportPairSchema),
    verdict: jsonText(verdictSchema).nullable(),
    problem: jsonText(problemSchema).nullable(),
  })
  .transform(({ scenarioName, targetName, ...rest }) => ({
    ...rest,
    scenario: scenarioName,
    target: targetName,
  }));

/**
 * Runs newest first, a page at a time. A cursor is the last run of a page, so a page costs the same however many runs
 * there are, and a run that arrives in between moves no other to another page.
 */
export async function listRuns(database: Database, query: RunListQuery): Promise<RunPage> {
  let rows = database.queries
    .selectFrom('runs')
    .select(summaryColumns)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(query.limit + 1);
  if (query.state !== undefined) rows = rows.where('state', '=', query.state);
  if (query.q !== undefined) {
    const words = query.q.replaceAll('\0', '').toWellFormed();
    rows = rows.where((where) =>
      where.or([
        where('searchText', 'like', sql<string>`${likePattern(words.toLowerCase())} escape '\\'`),
        where(sql<string>`substr(id, 1, ${sql.lit(words.length)})`, '=', words),
      ]),
    );
  }
  if (query.cursor !== undefined) {
    const { createdAt, id } = parseCursor(query.cursor);
    rows = rows.where(sql<boolean>`(created_at, id) < (${createdAt}, ${id})`);
  }
  const found = (await rows.execute()).map((row) => summarySchema.parse(row));
  const runs = found.slice(0, query.limit);
  const last = runs.at(-1);
  return { runs, nextCursor: found.length > query.limit && last !== undefined ? printCursor(last) : null };
}

/** The summary of one run, or null. */
export async function findRunSummary(database: Database, id: string): Promise<StoredSummary | null> {
  const row = await database.queries
    .selectFrom('runs')
    .select(summaryColumns)
    .where('id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : summarySchema.parse(row);
}

function likePattern(words: string): string {
  return `%${words.replace(/[\\%_]/g, '\\$&')}%`;
}
