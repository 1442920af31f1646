import { z } from 'zod';
import { runStateSchema } from './run.ts';
import { countSchema } from './units.ts';

/** What a measurement of the lab tells while it goes on; the log of it is kept and replayed as a run's is. */

export const labPhases = ['preparing', 'warm-up', 'measuring', 'ends apart'] as const;
export type LabPhase = (typeof labPhases)[number];

const progressEventSchema = z.strictObject({
  type: z.literal('progress'),
  phase: z.enum(labPhases),
  /** 0 to 1; never goes back. */
  fraction: z.number().min(0).max(1),
  /** Of the phase; while measuring, of the round. */
  cellsDone: countSchema,
  cellsPlanned: countSchema,
  roundsDone: countSchema,
  roundsPlanned: countSchema,
  secondsLeft: z.number().nonnegative().nullable(),
});

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

/** What measuring tells by itself; queue and storage add the states. */
export const labStepSchema = z.discriminatedUnion('type', [progressEventSchema, cellsEventSchema]);
export type LabStep = z.infer<typeof labStepSchema>;

export const labEventSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('state'),
    state: runStateSchema,
    queuePosition: z.int().positive().nullable(),
  }),
  progressEventSchema,
  cellsEventSchema,
  /** The last event of every log. The document is complete when it is sent. */
  z.strictObject({ type: z.literal('end'), state: runStateSchema }),
]);
export type LabEvent = z.infer<typeof labEventSchema>;
