import { z } from 'zod';
import { nonNegativeSchema, permalinkIdSchema } from '../../base/units.ts';
import { estimateSchema, verdictOutcomeSchema } from './comparison.ts';
import { metricIdSchema } from './metric-schema.ts';

/** Several runs of one question as one answer: a run pools itself and those before it, so a later one changes nothing here. */

const pooledMetricSchema = z.strictObject({
  /** comparison divided by baseline. */
  ratio: estimateSchema,
  /** In the metric's unit: of those of them whose baseline is within 25 % of this run's; absent where there are fewer than two. */
  difference: estimateSchema.extend({ runs: z.int().min(2) }).optional(),
  /** Of them together, by the rules of a single run. */
  outcome: verdictOutcomeSchema,
  /** Oldest first; this run is the last. */
  runs: z.array(permalinkIdSchema).min(2),
  /** Standard deviation of what moves between runs, of the logarithm of the ratio. */
  between: nonNegativeSchema,
});
export type PooledMetric = z.infer<typeof pooledMetricSchema>;

export const poolSchema = z.strictObject({
  /** Primary ones; those that no earlier run can add to are left out. */
  metrics: z.partialRecord(metricIdSchema, pooledMetricSchema),
  /** Earlier runs of the question that cannot be compared, oldest first. */
  leftOut: z.array(
    z.strictObject({
      id: permalinkIdSchema,
      /** Such as `another kernel`, to stand in a sentence. */
      reason: z.string(),
    }),
  ),
});
export type Pool = z.infer<typeof poolSchema>;
