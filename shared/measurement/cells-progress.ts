import { z } from 'zod';
import { lifeEvents } from './measurement.ts';

/** What measurements of the lab tell while they go on. */

const measuringPhases = ['preparing', 'warm-up', 'measuring', 'ends apart'] as const;
export type MeasuringPhase = (typeof measuringPhases)[number];

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

export const cellsEventsSchema = z.discriminatedUnion('type', [...lifeEvents, cellsEventSchema]);
export type CellsEvent = z.infer<typeof cellsEventsSchema>;
