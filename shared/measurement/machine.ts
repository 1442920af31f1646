import { z } from 'zod';
import { presetSchema } from '../kinds/comparison/load-choice.ts';

/** What this machine is doing besides, and how narrow an interval to expect of a run on it. */

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

const expectedWidthSchema = z.strictObject({
  preset: presetSchema,
  /** Of the 95 % interval of server CPU per transaction, as a share of it. */
  halfWidth: shareSchema,
  /** Finished runs of this machine whose median it is; 0 for what is typical of a quiet machine with two cores. */
  runs: z.int().nonnegative(),
});
export type ExpectedWidth = z.infer<typeof expectedWidthSchema>;

export const machineSchema = z.strictObject({
  ...machineUseSchema.shape,
  /** Whether a measurement has the machine. */
  measuring: z.boolean(),
  expected: z.array(expectedWidthSchema),
});
export type Machine = z.infer<typeof machineSchema>;
