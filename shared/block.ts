import { z } from 'zod';
import { operatingPointSchema } from './load-profile.ts';
import { slotSchema } from './slot.ts';
import { countSchema } from './units.ts';

/** Why a block was dropped, in the order of the method's rule 5. */
export const dropReasonCodeSchema = z.enum([
  'errors',
  'ports_exhausted',
  'under_sent',
  'late',
  'steal',
  'foreign_cpu',
  'generator_saturated',
  'overrun',
  'cpu_unverified',
  'handshakes_disagree',
  'slot_failed',
]);
export type DropReasonCode = z.infer<typeof dropReasonCodeSchema>;

export const dropReasonSchema = z.strictObject({
  code: dropReasonCodeSchema,
  /** The fact with its figures, in a sentence. */
  message: z.string(),
});
export type DropReason = z.infer<typeof dropReasonSchema>;

/**
 * One mirrored triple: the three arms in a random order, then in its mirror, such as A B N N B A
 * (A baseline, B comparison, N twin). Every arm is visited twice, so a linear drift cancels.
 */
export const blockSchema = z.strictObject({
  index: countSchema,
  kind: operatingPointSchema,
  order: z.string().regex(/^[ABN]{4,6}$/),
  /** Empty: the block counts. */
  reasons: z.array(dropReasonSchema),
  slots: z.array(slotSchema),
});
export type Block = z.infer<typeof blockSchema>;
