import { z } from 'zod';
import { countSchema, estimateSchema, nonNegativeSchema, unitSchema } from '../../base/units.ts';
import { metricGroups, metricIds } from './metric.ts';

export const metricIdSchema = z.enum(metricIds);

export const metricGroupSchema = z.enum(metricGroups);

/** How sure an estimate is, and what that rests on; on an additive scale: logarithms of ratios, or differences in a unit. */

/** A variance and its degrees of freedom, which need not be whole. */
const varianceSchema = z.strictObject({ variance: nonNegativeSchema, degrees: nonNegativeSchema });
export type Variance = z.infer<typeof varianceSchema>;

/** Variance of the launches' means, and the part of it that their samples explain. 0 degrees for one launch. */
const launchesVarianceSchema = varianceSchema.extend({ bySamples: nonNegativeSchema });
export type LaunchesVariance = z.infer<typeof launchesVarianceSchema>;

/** Variance from earlier runs of this machine, or if there are none, from those that TLS Toll ships with. */
export const priorSchema = varianceSchema.extend({
  /** That it was fitted to. */
  runs: countSchema,
  from: z.enum(['history', 'shipped']),
});
export type Prior = z.infer<typeof priorSchema>;

const wideningNames = ['drift', 'twin', 'carry-over'] as const;

const intervalSchema = z.strictObject({ lo: z.number(), hi: z.number() });
export type Interval = z.infer<typeof intervalSchema>;

const precisionSchema = z.strictObject({
  center: z.number(),
  /** With the part that moves between runs, where there is one. */
  standardError: nonNegativeSchema,
  /** Degrees of freedom of `standardError`. */
  degrees: nonNegativeSchema,
  /** Standard error without the part that moves between runs: pooling and series add that part themselves. */
  withinError: nonNegativeSchema,
  /** Variance of the launches' means, from this run alone. Later runs borrow it. */
  launches: launchesVarianceSchema,
  /** Source of the borrowed variance between launches; null where nothing was borrowed. */
  prior: priorSchema.nullable(),
  /** There was a prior, and launches were too far apart for it. */
  isNoisierThanPast: z.boolean(),
  /** Variance between runs, included in `standardError`; null where nothing was added. */
  betweenRuns: priorSchema.nullable(),
  /** 95 % interval from this run alone; null with a single unit. */
  plain: intervalSchema.nullable(),
  /** Added to either side after the quantile. */
  widenings: z.array(z.strictObject({ name: z.enum(wideningNames), by: nonNegativeSchema })),
});
export type Precision = z.infer<typeof precisionSchema>;
export type Widening = Precision['widenings'][number];

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
  /** Precision of `ratio`, or without one of `delta`; absent if nothing was measured. */
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

/** The outcome of the metric that the headline is about. */
export const verdictSchema = z.strictObject({
  metric: metricIdSchema,
  outcome: verdictOutcomeSchema,
});
export type Verdict = z.infer<typeof verdictSchema>;
