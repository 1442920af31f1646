import { z } from 'zod';
import { estimateSchema } from '../../base/estimate.ts';
import { errorGroupSchema } from '../../base/outcome.ts';
import { sideNames } from '../../base/transport.ts';
import { bySideSchema } from '../../base/transport-schema.ts';
import { countSchema } from '../../base/units.ts';
import { lifeEvents, measuredEventSchema } from '../../measurement/measurement.ts';
import { blockSchema } from './block.ts';
import { operatingPointSchema } from './load-profile.ts';
import { metricIdSchema } from './metric-schema.ts';

/** Errors that are alike on one side, counted; those of the twin are the baseline's. */
export const sideErrorSchema = errorGroupSchema.omit({ transport: true }).extend({
  side: z.enum(sideNames),
  /** What that side is called. */
  name: z.string(),
});
export type SideError = z.infer<typeof sideErrorSchema>;

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
