import { z } from 'zod';
import { countSchema, nonNegativeSchema } from '../../base/units.ts';

/** How sure an estimate is, and what that rests on; on an additive scale: logarithms of ratios, or differences in a unit. */

/** Of a variance, how many degrees of freedom are behind it, which need not be whole. */
const varianceSchema = z.strictObject({ variance: nonNegativeSchema, degrees: nonNegativeSchema });
export type Variance = z.infer<typeof varianceSchema>;

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
  /** The run's own, that no prior touched: of launches' means, or of the epochs of one launch. 0 with 0 degrees where one unit holds it. */
  own: varianceSchema,
  /** What the variance borrowed from; null where it borrowed nothing. */
  prior: priorSchema.nullable(),
  /** There was a prior, and the run was too noisy for it. */
  isNoisierThanPast: z.boolean(),
  /** What moves between runs of a standing target, a variance that is part of `standardError`; null where nothing was added. */
  betweenRuns: priorSchema.nullable(),
  /** Student's at 95 % from this run alone; null where it has no variance of its own. */
  plain: intervalSchema.nullable(),
  /** Added to either side after the quantile. */
  widenings: z.array(z.strictObject({ name: z.enum(wideningNames), by: nonNegativeSchema })),
  /** The interval reaches at least from here to there, at every confidence; null: no such demand. */
  atLeast: intervalSchema.nullable(),
});
export type Precision = z.infer<typeof precisionSchema>;
export type Widening = Precision['widenings'][number];
