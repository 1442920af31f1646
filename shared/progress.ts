import { z } from 'zod';
import { operatingPointSchema } from './load-profile.ts';
import { lifeEvents } from './measurement.ts';
import { metricIdSchema } from './metric.ts';
import { errorGroupSchema } from './outcome.ts';
import { bySideSchema } from './transport.ts';
import { countSchema } from './units.ts';

/** What a run tells while it goes on. */

const mediansSchema = bySideSchema(z.number().nullable());

const blockEventSchema = z.strictObject({
  type: z.literal('block'),
  index: countSchema,
  kind: operatingPointSchema,
  /** Sentences; empty when the block counts. */
  dropped: z.array(z.string()),
  /** Of all kept blocks so far. Provisional: never a verdict. */
  medians: z.partialRecord(metricIdSchema, mediansSchema),
  /** This block's ratios comparison/baseline, for the live chart. */
  ratios: z.partialRecord(metricIdSchema, z.number()),
});

const errorsEventSchema = z.strictObject({ type: z.literal('errors'), groups: z.array(errorGroupSchema) });

export const runEventSchema = z.discriminatedUnion('type', [
  ...lifeEvents,
  blockEventSchema,
  errorsEventSchema,
]);
export type RunEvent = z.infer<typeof runEventSchema>;
