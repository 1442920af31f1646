import { z } from 'zod';
import { problemSchema } from '../base/problem-schema.ts';
import { permalinkIdSchema, unixMillisSchema } from '../base/units.ts';
import { measurementSummarySchema } from './measurement-summary.ts';

/** What is deleted waits in the bin, where it can be restored, until it is removed for good. */

export const binDays = 30;
export const binMs = binDays * 24 * 60 * 60_000;

const binnedSchema = z.strictObject({
  measurement: measurementSummarySchema,
  deletedAt: unixMillisSchema,
  /** When it is removed for good. */
  removedAt: unixMillisSchema,
});
export type Binned = z.infer<typeof binnedSchema>;

export const binListSchema = z.strictObject({
  binned: z.array(binnedSchema),
  nextCursor: z.string().nullable(),
});

export const mostAtOnce = 100;

/** Measurements, each with the delete token that was returned when it was created. */
export const binActionSchema = z.strictObject({
  items: z
    .array(z.strictObject({ id: permalinkIdSchema, deleteToken: z.string().min(1).max(200) }))
    .min(1, 'name at least one measurement')
    .max(mostAtOnce, `at most ${mostAtOnce} measurements at once`),
});
export type BinAction = z.infer<typeof binActionSchema>;

/** One that is refused keeps no other from being done. */
export const binOutcomeSchema = z.strictObject({
  done: z.array(permalinkIdSchema),
  refused: z.array(z.strictObject({ id: permalinkIdSchema, problem: problemSchema })),
});
export type BinOutcome = z.infer<typeof binOutcomeSchema>;
