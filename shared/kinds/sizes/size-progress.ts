import { z } from 'zod';
import { nonNegativeSchema } from '../../base/units.ts';
import { lifeEvents } from '../../measurement/measurement.ts';
import { sizeArmSchema, sizesDocumentSchema, sizesRequestSchema } from './sizes.ts';

/** What a sweep over sizes tells while it goes on. */

const sizesPhases = ['warm-up', 'measuring'] as const;
export type SizesPhase = (typeof sizesPhases)[number];

/** After each round: medians over the rounds so far. Provisional: never a result. */
const sizesEventSchema = z.strictObject({
  type: z.literal('sizes'),
  points: z.array(
    z.strictObject({ size: z.int().positive(), arm: sizeArmSchema, medianUs: nonNegativeSchema }),
  ),
});

const sizesEventsSchema = z.discriminatedUnion('type', [...lifeEvents, sizesEventSchema]);
export type SizesEvent = z.infer<typeof sizesEventsSchema>;

/** What it is asked for with, tells and leaves behind. */
export const sizes = { request: sizesRequestSchema, document: sizesDocumentSchema, event: sizesEventsSchema };
