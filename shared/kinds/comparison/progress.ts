import { z } from 'zod';
import { bySideSchema } from '../../base/transport-schema.ts';
import { countSchema } from '../../base/units.ts';
import { lifeEvents, measuredEventSchema } from '../../measurement/measurement.ts';
import { blockSchema } from './block.ts';
import { estimateSchema } from './comparison.ts';
import { operatingPointSchema } from './load-profile.ts';
import { metricIdSchema } from './metric-schema.ts';
import { sideErrorSchema } from './side-error.ts';

/** What a run tells while it goes on. */

/** A block has ended. */
const blockEventSchema = z.strictObject({
  type: z.literal('block'),
  index: countSchema,
  kind: operatingPointSchema,
  launch: countSchema,
  epoch: countSchema,
  /** As in the block. */
  reasons: blockSchema.shape.reasons,
  /** Windows of the block, and those of them that were set aside. */
  windows: z.strictObject({ measured: countSchema, aside: countSchema }),
  /** This block's value for each metric that it counts for. Provisional, never a verdict. */
  values: z.partialRecord(metricIdSchema, bySideSchema(z.number())),
  /** The same as ratios comparison/baseline. */
  ratios: z.partialRecord(metricIdSchema, z.number()),
  /** The headline's ratio from all blocks so far; null until there is one. */
  interval: estimateSchema.nullable(),
});

const errorsEventSchema = z.strictObject({ type: z.literal('errors'), groups: z.array(sideErrorSchema) });

export const runEventSchema = z.discriminatedUnion('type', [
  ...lifeEvents,
  measuredEventSchema,
  blockEventSchema,
  errorsEventSchema,
]);
export type RunEvent = z.infer<typeof runEventSchema>;
