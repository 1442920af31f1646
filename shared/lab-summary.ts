import { z } from 'zod';
import { problemSchema } from './problem.ts';
import { runStateSchema } from './run.ts';
import { permalinkIdSchema, unixMillisSchema } from './units.ts';

/** A measurement of the lab as lists show it. */
export const labSummarySchema = z.strictObject({
  id: permalinkIdSchema,
  kind: z.enum(['handshakes', 'speed', 'browser']),
  title: z.string(),
  state: runStateSchema,
  createdAt: unixMillisSchema,
  endedAt: unixMillisSchema.nullable(),
  problem: problemSchema.nullable(),
  /** 1 is next; null once it is not waiting. */
  queuePosition: z.int().positive().nullable(),
});
export type LabSummary = z.infer<typeof labSummarySchema>;
