import type { Router } from 'express';
import { metricOf } from '../../../shared/kinds/comparison/metric.ts';
import { mostTrendRuns, type QuestionLine } from '../../../shared/kinds/comparison/question-line.ts';
import { stepsOf } from '../../kinds/comparison/series/steps-of.ts';
import { findNewestRun, listQuestions, listTrend, type QuestionRow } from '../../life/database/questions.ts';
import type { AppParts } from './app-parts.ts';
import { serve } from './endpoint.ts';

/** What was asked, each question once. */
export function questions(router: Router, { measurements, database }: AppParts): void {
  async function lineOf({ question, runs }: QuestionRow): Promise<QuestionLine[]> {
    const id = await findNewestRun(database, question);
    // Deleted meanwhile.
    const summary = id === null ? null : await measurements.summary(id).catch(() => null);
    if (summary?.kind !== 'comparison') return [];
    const metric = summary.verdict?.metric ?? 'cpu_at_load';
    const rows = await listTrend(database, question, metricOf(metric).id, mostTrendRuns);
    const steps = stepsOf(rows);
    const trend = rows.map(({ id, createdAt, ratio }, place) => ({
      ...{ id, url: `/r/${id}`, createdAt, ratio },
      isStep: steps.has(place),
    }));
    return [{ id: question, newest: summary, runs, trend }];
  }

  serve(router, 'listQuestions', async ({ query }) => {
    const { page, nextCursor } = await listQuestions(database, query);
    const lines = await Promise.all(page.map(lineOf));
    return { questions: lines.flat(), nextCursor };
  });
}
