import { z } from 'zod';
import { lengthSchema } from '../kinds/comparison/load-choice.ts';
import { targetKindSchema } from '../target/target.ts';

/** Other load on this machine, and how long a run is expected to take on it. */

const shareSchema = z.number().nonnegative();

const machineUseSchema = z.strictObject({
  /** How far back it goes; 0 when nobody has looked before. */
  overS: z.number().nonnegative(),
  /** Share of the machine's CPU time that its host gave to others (steal); null where it is not known yet. */
  stealRatio: shareSchema.nullable(),
  /** Share that other programs took; null also while a measurement has the machine, as its programs count too. */
  foreignRatio: shareSchema.nullable(),
});
export type MachineUse = z.infer<typeof machineUseSchema>;

const expectedTimeSchema = z.strictObject({
  target: targetKindSchema,
  length: lengthSchema,
  /** Until the headline is known to the precision of the length, or the time is up. */
  seconds: z.number().positive(),
  /** Finished runs of this machine that the time is from; 0 for what is typical of a quiet machine with two cores. */
  runs: z.int().nonnegative(),
  /** Half-width of one run's interval by what moves between runs alone, as a share of the ratio; 0 where nothing does. */
  between: shareSchema,
});
export type ExpectedTime = z.infer<typeof expectedTimeSchema>;

export const machineSchema = z.strictObject({
  ...machineUseSchema.shape,
  /** Whether a measurement has the machine. */
  measuring: z.boolean(),
  expected: z.array(expectedTimeSchema),
});
export type Machine = z.infer<typeof machineSchema>;
