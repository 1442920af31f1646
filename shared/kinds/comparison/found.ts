import { z } from 'zod';
import { estimateSchema } from '../../base/estimate.ts';
import { verdictOutcomeSchema } from './comparison.ts';
import { metricIdSchema } from './metric-schema.ts';
import { qualities } from './quality.ts';

/** What a run found, with the earlier runs of its question where it pools them, as a line shows it. */
export const foundSchema = z.strictObject({
  metric: metricIdSchema,
  outcome: verdictOutcomeSchema,
  /** comparison divided by baseline. */
  ratio: estimateSchema,
  /** `+6.1 µs`, of one request, transaction, or second; null where that is not certain. */
  amount: z.string().nullable(),
  /** Of the run alone. */
  quality: z.enum(qualities),
});
export type Found = z.infer<typeof foundSchema>;
