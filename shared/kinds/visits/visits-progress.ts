import { z } from 'zod';
import { armSchema } from '../../base/transport-schema.ts';
import { countSchema } from '../../base/units.ts';
import { lifeEvents } from '../../measurement/measurement.ts';
import {
  passKinds,
  visitsBlockSchema,
  visitsDocumentSchema,
  visitsFactsSchema,
  visitsRequestSchema,
  visitTimesSchema,
} from './visits.ts';

/** Live events of visits. */

export type VisitsPhase = 'preparing' | 'warm-up' | 'measuring' | 'filming';

/** The browser's current action; sent when a pass begins, and then at most once per second. */
const visitingEventSchema = z.strictObject({
  type: z.literal('visiting'),
  arm: armSchema,
  pass: z.enum(passKinds),
  /** Number of the journey's action, from 1. */
  action: countSchema,
  actions: countSchema,
});
export type VisitingEvent = z.infer<typeof visitingEventSchema>;

/** A visit that counts unless its block is dropped. Provisional: never a result. */
const visitedEventSchema = z.strictObject({
  type: z.literal('visited'),
  arm: armSchema,
  cold: visitTimesSchema,
  warm: visitTimesSchema,
  resumed: visitTimesSchema.optional(),
});
export type VisitedEvent = z.infer<typeof visitedEventSchema>;

const visitsEventsSchema = z.discriminatedUnion('type', [
  ...lifeEvents,
  visitingEventSchema,
  visitedEventSchema,
]);

/** Schemas of the kind. */
export const visits = {
  request: visitsRequestSchema,
  facts: visitsFactsSchema,
  block: visitsBlockSchema,
  document: visitsDocumentSchema,
  event: visitsEventsSchema,
};
