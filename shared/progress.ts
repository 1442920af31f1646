import { z } from 'zod';
import { operatingPointSchema } from './load-profile.ts';
import { metricIdSchema } from './metric.ts';
import { errorGroupSchema } from './outcome.ts';
import { phaseSchema, runStateSchema } from './run.ts';
import { bySideSchema } from './transport.ts';
import { countSchema } from './units.ts';

/** What a run tells while it goes on: one append-only log per run, sent over SSE and replayed from any id. */

const stateEventSchema = z.strictObject({
  type: z.literal('state'),
  state: runStateSchema,
  queuePosition: z.int().positive().nullable(),
});

const progressEventSchema = z.strictObject({
  type: z.literal('progress'),
  phase: phaseSchema,
  /** 0 to 1; never goes back. */
  fraction: z.number().min(0).max(1),
  blocksDone: countSchema,
  /** Planned at this moment; standard and thorough runs may stop earlier or go on longer. */
  blocksPlanned: countSchema,
  secondsLeft: z.number().nonnegative().nullable(),
});

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

/** The last event of every log. The document is complete when it is sent. */
const endEventSchema = z.strictObject({ type: z.literal('end'), state: runStateSchema });

export const runEventSchema = z.discriminatedUnion('type', [
  stateEventSchema,
  progressEventSchema,
  blockEventSchema,
  errorsEventSchema,
  endEventSchema,
]);
export type RunEvent = z.infer<typeof runEventSchema>;
