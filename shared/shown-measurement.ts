import { z } from 'zod';
import { kinds } from './kinds.ts';
import { shownRunSchema } from './shown-run.ts';

/** The document of a measurement as its page is sent it. */
export const shownMeasurementSchema = z.discriminatedUnion('kind', [
  shownRunSchema,
  kinds.handshakes.document,
  kinds.primitives.document,
  kinds.journey.document,
  kinds.sizes.document,
  kinds.sweep.document,
  kinds.distance.document,
]);
export type ShownMeasurement = z.infer<typeof shownMeasurementSchema>;
