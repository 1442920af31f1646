import { z } from 'zod';
import { armSchema } from '../../base/transport-schema.ts';
import { countSchema, nonNegativeSchema } from '../../base/units.ts';
import { lifeEvents } from '../../measurement/measurement.ts';

/** What visits tell while they go on. */

export type VisitsPhase = 'preparing' | 'warm-up' | 'measuring' | 'filming';

/** What the browser does now; told when a pass begins, and then at most once a second. */
const visitingEventSchema = z.strictObject({
  type: z.literal('visiting'),
  arm: armSchema,
  pass: z.enum(['cold', 'warm']),
  /** Of the journey, from 1. */
  action: countSchema,
  actions: countSchema,
});
export type VisitingEvent = z.infer<typeof visitingEventSchema>;

const timesSchema = z.strictObject({
  ttfbUs: nonNegativeSchema,
  fcpUs: nonNegativeSchema.nullable(),
  lcpUs: nonNegativeSchema.nullable(),
  loadUs: nonNegativeSchema,
});

/** A visit that counts unless its block is dropped. Provisional: never a result. */
const visitedEventSchema = z.strictObject({
  type: z.literal('visited'),
  arm: armSchema,
  cold: timesSchema,
  warm: timesSchema,
});
export type VisitedEvent = z.infer<typeof visitedEventSchema>;

export const visitsEventsSchema = z.discriminatedUnion('type', [
  ...lifeEvents,
  visitingEventSchema,
  visitedEventSchema,
]);
