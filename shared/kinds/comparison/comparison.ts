import { z } from 'zod';
import { estimateSchema } from '../../base/estimate.ts';
import { countSchema, unitSchema } from '../../base/units.ts';
import { metricIdSchema } from './metric-schema.ts';
import { precisionSchema } from './precision.ts';

export const verdictOutcomeSchema = z.enum([
  'overhead',
  'no_overhead',
  'inconclusive',
  'not_tested',
  'refused',
]);
export type VerdictOutcome = z.infer<typeof verdictOutcomeSchema>;

/** One row of the delta table, in the metric's unit. */
export const metricComparisonSchema = z.strictObject({
  id: metricIdSchema,
  unit: unitSchema,
  /** Mean over the launches (geometric for ratios), with its interval; null when nothing could be measured. */
  baseline: estimateSchema.nullable(),
  comparison: estimateSchema.nullable(),
  /** comparison less baseline, in the metric's unit. */
  delta: estimateSchema.nullable(),
  /** comparison divided by baseline: 1.21 is 21 % more. Null when the values can be zero or negative. */
  ratio: estimateSchema.nullable(),
  /** twin divided by baseline, measured in the same blocks; null without a twin. */
  twinRatio: estimateSchema.nullable(),
  /** `ratio` with no window set aside; null where there are none to set aside. */
  ratioOfAll: estimateSchema.nullable(),
  /** Confidence of the intervals of `delta` and `ratio`; absent for 95 %. A run that was continued was looked at for its value. */
  confidence: z.literal(0.99).optional(),
  /** What `ratio`, or without one `delta`, rests on; left out where nothing was measured. */
  precision: precisionSchema.optional(),
  /** The estimate of each launch alone, with the interval of what varied within it; empty for differences. */
  launches: z.array(
    z.strictObject({ launch: countSchema, ratio: estimateSchema, twinRatio: z.number().nullable() }),
  ),
  outcome: verdictOutcomeSchema,
  /** In sentences: why it is refused or doubtful. */
  reasons: z.array(z.string()),
  /** Every sample, or block without samples, in order: comparison ÷ baseline (or − baseline, for differences), and the twin's. */
  pairs: z.array(
    z.strictObject({
      block: z.int(),
      /** Since the run started. */
      atMs: z.number().nonnegative(),
      value: z.number(),
      twinValue: z.number().nullable(),
      /** Excluded, because the machine was disturbed or a request failed; absent where it counts. */
      aside: z.literal(true).optional(),
    }),
  ),
});
export type MetricComparison = z.infer<typeof metricComparisonSchema>;

/** `95 % CI`. */
export function ciOf({ confidence }: Pick<MetricComparison, 'confidence'>): string {
  return confidence === undefined ? '95 % CI' : '99 % CI';
}

export const verdictSchema = z.strictObject({
  sentence: z.string(),
  metric: metricIdSchema,
  outcome: verdictOutcomeSchema,
});
export type Verdict = z.infer<typeof verdictSchema>;
