import { sql } from 'kysely';
import { z } from 'zod';
import { permalinkIdSchema, unixMillisSchema } from '../../../shared/base/units.ts';
import type { MetricId } from '../../../shared/kinds/comparison/metric.ts';
import { questionIdSchema } from '../../../shared/kinds/comparison/question-line.ts';
import { matchesWord, wordsOf } from './find-words.ts';
import type { Database } from './open-database.ts';
import type { FigureTables } from './tables.ts';

/** Questions by what their finished runs left in the history; what is in the bin has left it. */

const questionSchema = z.object({
  question: questionIdSchema,
  runs: z.coerce.number().int(),
  newestAt: z.coerce.number().pipe(unixMillisSchema),
});
export type QuestionRow = z.infer<typeof questionSchema>;

/** The last one of a page. */
export type QuestionCursor = { newestAt: number; question: string };

/** The one that was asked last comes first. With words, those of which a run has them all. */
export async function listQuestions(
  { queries }: Database,
  { q, limit, after }: { q: string; limit: number; after: QuestionCursor | null },
): Promise<QuestionRow[]> {
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
    .groupBy('question')
    .orderBy('newestAt', 'desc')
    .orderBy('question', 'desc')
    .limit(limit);
  for (const word of wordsOf(q)) rows = rows.where(matchesWord(word));
  if (after !== null) {
    rows = rows.having(sql<boolean>`(max(created_at), question) < (${after.newestAt}, ${after.question})`);
  }
  return (await rows.execute()).map((row) => questionSchema.parse(row));
}

export async function findNewestRun({ queries }: Database, question: string): Promise<string | null> {
  const row = await queries
    .withTables<FigureTables>()
    .selectFrom('measurements')
    .innerJoin('metricFigures', 'metricFigures.measurementId', 'measurements.id')
    .select('measurements.id')
    .where('state', '=', 'finished')
    .where('question', '=', question)
    .orderBy('createdAt', 'desc')
    .orderBy('measurements.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

const trendSchema = z.object({
  id: permalinkIdSchema,
  createdAt: unixMillisSchema,
  ratio: z.number().positive(),
  ratioLo: z.number().positive(),
  ratioHi: z.number().positive(),
  withinError: z.number().nullable(),
  wideningDrift: z.number().nullable(),
  wideningTwin: z.number().nullable(),
  wideningCarryOver: z.number().nullable(),
});

/** The newest runs that have a figure of a metric, oldest first. `widened` as in a series. */
export async function listTrend({ queries }: Database, question: string, metric: MetricId, limit: number) {
  const rows = await queries
    .withTables<FigureTables>()
    .selectFrom('measurements')
    .innerJoin('metricFigures', 'metricFigures.measurementId', 'measurements.id')
    .select(['measurements.id', 'createdAt', 'ratio', 'ratioLo', 'ratioHi', 'withinError'])
    .select(['wideningDrift', 'wideningTwin', 'wideningCarryOver'])
    .where('state', '=', 'finished')
    .where('question', '=', question)
    .where('metric', '=', metric)
    .where('metricFigures.verdict', '!=', 'refused')
    .where('ratioLo', '>', 0)
    .orderBy('createdAt', 'desc')
    .orderBy('measurements.id', 'desc')
    .limit(limit)
    .execute();
  return rows
    .map((row) => trendSchema.parse(row))
    .map(({ id, createdAt, ratio: center, ratioLo: lo, ratioHi: hi, withinError, ...by }) => ({
      ...{ id, createdAt, withinError, ratio: { center, lo, hi } },
      widened: (by.wideningDrift ?? 0) + (by.wideningTwin ?? 0) + (by.wideningCarryOver ?? 0),
    }))
    .reverse();
}
