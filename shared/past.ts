import { z } from 'zod';
import { metricIdSchema } from './metric-schema.ts';
import { priorSchema } from './precision.ts';

/** What earlier runs tell a run: noted before its figures are made, so that they stay what they are. */

export const pastSchema = z.strictObject({
  /** Variance of a unit (a launch, or an epoch of a target that stands), from runs of this machine with a like target at a like load. */
  units: z.partialRecord(metricIdSchema, priorSchema),
  /** What moved between earlier runs of the same question, as a variance of the log ratio. */
  betweenRuns: z.partialRecord(metricIdSchema, priorSchema),
});
export type Past = z.infer<typeof pastSchema>;

export const noPast: Past = { units: {}, betweenRuns: {} };
