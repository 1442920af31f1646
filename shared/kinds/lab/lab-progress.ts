import { z } from 'zod';
import { lifeEvents } from '../../measurement/measurement.ts';

/** What measurements of the lab tell while they go on. */

const labPhases = ['preparing', 'warm-up', 'measuring', 'ends apart'] as const;
export type LabPhase = (typeof labPhases)[number];

/** Of all rounds so far, what changed since it was last told; at most twice a second. Provisional: never a result. */
const cellsEventSchema = z.strictObject({
  type: z.literal('cells'),
  medians: z.array(
    z.strictObject({
      /** The cell's id. */
      cell: z.string(),
      cpuUs: z.number().nonnegative(),
    }),
  ),
});

export const labEventSchema = z.discriminatedUnion('type', [...lifeEvents, cellsEventSchema]);
export type LabEvent = z.infer<typeof labEventSchema>;
