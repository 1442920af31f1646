import type { Router } from 'express';
import { problem } from '../../../shared/base/problem.ts';
import { metricOf } from '../../../shared/kinds/comparison/metric.ts';
import {
  mostTrendRuns,
  type QuestionLine,
  questionIdSchema,
} from '../../../shared/kinds/comparison/question-line.ts';
import { runSummarySchema } from '../../../shared/measurement/measurement-summary.ts';
import { stepsOf } from '../../kinds/comparison/series/series-of.ts';
import {
  findNewestRun,
  listQuestions,
  listTrend,
  type QuestionCursor,
  type QuestionRow,
} from '../../life/database/questions.ts';
import type { AppParts } from './app-parts.ts';
import { serve } from './endpoint.ts';

/** What was asked, each question once. */
export function questions(router: Router, { measurements, database }: AppParts): void {
  async function lineOf({ question, runs }: QuestionRow): Promise<QuestionLine[]> {
    const id = await findNewestRun(database, question);
    // Deleted meanwhile.
    const summary = id === null ? null : await measurements.summary(id).catch(() => null);
    if (summary === null) return [];
    const newest = runSummarySchema.parse(summary);
    const metric = newest.verdict?.metric ?? 'cpu_at_load';
    const rows = await listTrend(database, question, metricOf(metric).id, mostTrendRuns);
    const steps = stepsOf(rows);
    const trend = rows.map(({ id, createdAt, ratio }, place) => ({
      ...{ id, url: `/r/${id}`, createdAt, ratio },
      isStep: steps.has(place),
    }));
    return [{ id: question, newest, runs, trend }];
  }

  serve(router, 'listQuestions', async ({ query: { cursor, limit, q = '' } }) => {
    const after = cursor === undefined ? null : readCursor(cursor);
    const rows = await listQuestions(database, { q, limit: limit + 1, after });
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    const lines = await Promise.all(page.map(lineOf));
    return {
      questions: lines.flat(),
      nextCursor: rows.length > limit && last !== undefined ? `${last.newestAt}.${last.question}` : null,
    };
  });
}

/** Throws invalid_request. */
function readCursor(text: string): QuestionCursor {
  const [, newestAt, question] = /^(\d{1,15})\.(.+)$/.exec(text) ?? [];
  if (newestAt !== undefined && questionIdSchema.safeParse(question).success)
    return { newestAt: Number(newestAt), question: String(question) };
  const message = 'a cursor is the nextCursor of an earlier page';
  throw problem('invalid_request', {
    detail: `The query: cursor: ${message}`,
    errors: [{ field: 'cursor', message }],
  });
}
