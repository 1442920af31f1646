import { z } from 'zod';
import { permalinkIdSchema } from '../../base/units.ts';
import { estimateSchema } from './comparison.ts';

/**
 * Where the CPU that HTTPS adds to a transaction at load goes: what its handshakes and its bytes cost by themselves, measured in
 * the lab with the same parameters on the same machine, and what is left.
 */

const attributionPartSchema = z.strictObject({
  part: z.enum(['handshakes', 'bulk', 'rest']),
  /** Microseconds of server CPU a transaction. */
  us: estimateSchema,
  /** Of the centre of the whole difference; null when that is not above zero. */
  share: z.number().nullable(),
  /** How it was computed, with its numbers. */
  formula: z.string(),
});
export type AttributionPart = z.infer<typeof attributionPartSchema>;

export const attributionSchema = z.strictObject({
  run: permalinkIdSchema,
  handshakes: permalinkIdSchema,
  /** The run's own difference of server CPU a transaction at load, in microseconds. */
  delta: estimateSchema,
  parts: z.array(attributionPartSchema),
  /** Whether handshakes and bytes fit into the difference, within their intervals. */
  addsUp: z.boolean(),
  sentence: z.string(),
  /** What to keep in mind. */
  notes: z.array(z.string()),
});
export type Attribution = z.infer<typeof attributionSchema>;
