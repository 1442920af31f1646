import { z } from 'zod';
import { countSchema, nonNegativeSchema } from '../../base/units.ts';

/** How sure an estimate is, and what that rests on; on an additive scale: logarithms of ratios, or differences in a unit. */

/** Of a variance, how many degrees of freedom are behind it, which need not be whole. */
const varianceSchema = z.strictObject({ variance: nonNegativeSchema, degrees: nonNegativeSchema });
export type Variance = z.infer<typeof varianceSchema>;

/** Variance of the launches' means, and the part of it that their samples explain. 0 degrees for one launch. */
const launchesVarianceSchema = varianceSchema.extend({ bySamples: nonNegativeSchema });
export type LaunchesVariance = z.infer<typeof launchesVarianceSchema>;

/** What earlier runs of this machine, or where there are none, those that TLS Toll ships with, say of a variance. */
export const priorSchema = varianceSchema.extend({
  /** That it was fitted to. */
  runs: countSchema,
  from: z.enum(['history', 'shipped']),
});
export type Prior = z.infer<typeof priorSchema>;

const wideningNames = ['drift', 'twin', 'carry-over'] as const;

const intervalSchema = z.strictObject({ lo: z.number(), hi: z.number() });
export type Interval = z.infer<typeof intervalSchema>;

export const precisionSchema = z.strictObject({
  center: z.number(),
  /** With the part that moves between runs, where there is one. */
  standardError: nonNegativeSchema,
  /** Of `standardError`. */
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
