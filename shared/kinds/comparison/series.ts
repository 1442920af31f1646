import { z } from 'zod';
import { estimateSchema } from '../../base/estimate.ts';
import { countSchema, permalinkIdSchema, unixMillisSchema } from '../../base/units.ts';
import { verdictOutcomeSchema } from './comparison.ts';
import { metricIdSchema } from './metric-schema.ts';

/** Finished runs that asked for the same: target, scenario, transports and plan. What becomes of a metric over them. */

const seriesRunSchema = z.strictObject({
  id: permalinkIdSchema,
  url: z.string(),
  createdAt: unixMillisSchema,
  /** comparison divided by baseline. */
  ratio: estimateSchema,
  outcome: verdictOutcomeSchema,
  /** What is newer than in the run before it, or older: `nginx 1.29.1 → 1.29.3`. */
  versions: z.array(z.string()),
});
export type SeriesRun = z.infer<typeof seriesRunSchema>;

/** Runs between two steps. */
const seriesLevelSchema = z.strictObject({
  /** Places in `runs`, of the first one and after the last one. */
  from: countSchema,
  to: countSchema,
  /** Of them all together. */
  ratio: estimateSchema,
  /** Where 95 % of single runs are expected, if nothing changes. */
  noise: z.strictObject({ lo: z.number(), hi: z.number() }),
  /** From the level before it to this one, divided; null for the first. */
  step: estimateSchema.nullable(),
});
export type SeriesLevel = z.infer<typeof seriesLevelSchema>;

export const seriesSchema = z.strictObject({
  title: z.string(),
  metric: metricIdSchema,
  /** Oldest first, the newest of them if there are very many. */
  runs: z.array(seriesRunSchema),
  levels: z.array(seriesLevelSchema),
  /** The run that is pinned to count from; null without one. */
  baseline: permalinkIdSchema.nullable(),
});
export type Series = z.infer<typeof seriesSchema>;
