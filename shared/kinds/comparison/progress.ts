import { z } from 'zod';
import { bySideSchema } from '../../base/transport-schema.ts';
import { countSchema } from '../../base/units.ts';
import { lifeEvents, measuredEventSchema } from '../../measurement/measurement.ts';
import { estimateSchema } from './comparison.ts';
import { operatingPointSchema } from './load-profile.ts';
import { metricIdSchema } from './metric-schema.ts';
import { sideErrorSchema } from './side-error.ts';

/** What a run tells while it goes on. */

const mediansSchema = bySideSchema(z.number().nullable());

/** A block has ended. */
const blockEventSchema = z.strictObject({
  type: z.literal('block'),
  index: countSchema,
  kind: operatingPointSchema,
  launch: countSchema,
  epoch: countSchema,
  /** Sentences; empty when the block counts. */
  dropped: z.array(z.string()),
  /** Windows of the block, and those of them that were set aside. */
  windows: z.strictObject({ measured: countSchema, aside: countSchema }),
  /** Of all blocks so far. Provisional: never a verdict. */
  medians: z.partialRecord(metricIdSchema, mediansSchema),
  /** This block's ratios comparison/baseline, for the live chart. */
  ratios: z.partialRecord(metricIdSchema, z.number()),
  /** Ratios of all blocks so far with their intervals. */
  intervals: z.partialRecord(metricIdSchema, estimateSchema),
  /** Of them those that only a prior gives yet: so far, nothing of this run has varied. */
  fromPrior: z.array(metricIdSchema),
});

const errorsEventSchema = z.strictObject({ type: z.literal('errors'), groups: z.array(sideErrorSchema) });

export const runEventSchema = z.discriminatedUnion('type', [
  ...lifeEvents,
  measuredEventSchema,
  blockEventSchema,
  errorsEventSchema,
]);
export type RunEvent = z.infer<typeof runEventSchema>;
