import { sql } from 'kysely';
import { z } from 'zod';
import { unixMillisSchema } from '../../../shared/base/units.ts';
import type { MetricId } from '../../../shared/kinds/comparison/metric.ts';
import { questionIdSchema } from '../../../shared/kinds/comparison/question-line.ts';
import { continuedRuns, figuresOfRuns, ratioSchema, ratiosOfRuns } from './figures-of-runs.ts';
import { matchesWord, wordsOf } from './find-words.ts';
import type { Database } from './open-database.ts';
import { type PageQuery, pageOf, parseCursor } from './page-cursor.ts';
import type { FigureTables } from './tables.ts';

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
