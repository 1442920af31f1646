import { z } from 'zod';
import { lifeEvents } from './measurement.ts';

/** What a measurement with cells tells while it goes on. */

export type MeasuringPhase = 'preparing' | 'warm-up' | 'measuring' | 'ends apart';

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
