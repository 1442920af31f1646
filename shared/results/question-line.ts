import { z } from 'zod';
import { estimateSchema } from '../base/estimate.ts';
import { countSchema, permalinkIdSchema, unixMillisSchema } from '../base/units.ts';
import { runSummarySchema } from './summary.ts';

/** A question with all of its runs as one line: what the newest run says with those before it, and how its figure came about. */

/** As many as a trend shows. */
export const mostTrendRuns = 20;

export const questionIdSchema = z.string().regex(/^[\w-]{22}$/);

const trendRunSchema = z.strictObject({
  id: permalinkIdSchema,
  url: z.string(),
  createdAt: unixMillisSchema,
  ratio: estimateSchema,
  /** Whether the level changed with it. */
  isStep: z.boolean(),
});
export type TrendRun = z.infer<typeof trendRunSchema>;

export const questionLineSchema = z.strictObject({
  id: questionIdSchema,
  newest: runSummarySchema,
  /** Finished ones. */
  runs: countSchema,
  /** Of the metric that the newest run answers with, oldest first. */
  trend: z.array(trendRunSchema).max(mostTrendRuns),
});
export type QuestionLine = z.infer<typeof questionLineSchema>;
