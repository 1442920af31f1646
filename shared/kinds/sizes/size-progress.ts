import { z } from 'zod';
import { nonNegativeSchema } from '../../base/units.ts';
import { lifeEvents } from '../../measurement/measurement.ts';
import {
  sizeArmSchema,
  sizeRoundSchema,
  sizesDocumentSchema,
  sizesFactsSchema,
  sizesRequestSchema,
} from './sizes.ts';

/** Live events of a sweep over sizes. */

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

/** Schemas of the kind. */
export const sizes = {
  request: sizesRequestSchema,
  facts: sizesFactsSchema,
  block: sizeRoundSchema,
  document: sizesDocumentSchema,
  event: sizesEventsSchema,
};
