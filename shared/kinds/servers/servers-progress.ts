import { z } from 'zod';
import { countSchema, nonNegativeSchema } from '../../base/units.ts';
import { lifeEvents } from '../../measurement/measurement.ts';

/** What a sweep over servers tells while it goes on: each visit to a cell as it ends. Provisional: never a result. */
const serversVisitEventSchema = z.strictObject({
  type: z.literal('visit'),
  round: countSchema,
  /** Its id. */
  cell: z.string(),
  httpPerS: nonNegativeSchema.nullable(),
  httpsPerS: nonNegativeSchema.nullable(),
  failure: z.string().nullable(),
});

export const serversEventsSchema = z.discriminatedUnion('type', [...lifeEvents, serversVisitEventSchema]);
export type ServersEvent = z.infer<typeof serversEventsSchema>;
