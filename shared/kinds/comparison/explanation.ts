import { z } from 'zod';
import { estimateSchema } from '../../base/estimate.ts';
import { permalinkIdSchema } from '../../base/units.ts';
import { setupDifferenceSchema } from './result-changes.ts';

/** A run’s difference in server CPU at load beside an explanation of it, in µs a transaction. */

const predictedSchema = z.strictObject({
  /** The measurement of handshakes that it is from. */
  handshakes: permalinkIdSchema,
  us: estimateSchema,
  /** How it was computed, with its numbers. */
  formula: z.string(),
});
export type Predicted = z.infer<typeof predictedSchema>;

export const explanationSchema = z.strictObject({
  run: permalinkIdSchema,
  explain: permalinkIdSchema,
  delta: estimateSchema,
  /** Null where too little was measured. */
  explained: estimateSchema.nullable(),
  /** Whether both are the same within their intervals; null where one is missing. */
  agrees: z.boolean().nullable(),
  sentence: z.string(),
  /** What has changed since the run. */
  changes: z.array(setupDifferenceSchema),
  /** What the handshakes and bytes of a transaction cost in the TLS lab; null where nothing that fits was measured on this machine. */
  lab: predictedSchema.nullable(),
});
export type Explanation = z.infer<typeof explanationSchema>;
