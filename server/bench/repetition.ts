import { z } from 'zod';
import { estimateSchema } from '../../shared/kinds/comparison/comparison.ts';

/** What is kept of one question that is asked again and again. */

export const repeatTargets = ['standing', 'managed', 'storefront'] as const;
export type RepeatTarget = (typeof repeatTargets)[number];
export const repeatMachines = ['quiet', 'busy'] as const;
export type RepeatMachine = (typeof repeatMachines)[number];

const ratios = <Ratio extends z.ZodType>(ratio: Ratio) =>
  z.strictObject({ cpu_at_load: ratio, latency_p50: ratio, throughput: ratio });

export const askedRunSchema = z.strictObject({
  /** Of its permalink; null where it was not even taken. */
  id: z.string().nullable(),
  at: z.iso.datetime(),
  /** From the request to the verdict. */
  seconds: z.number().nonnegative(),
  /** From the request to the first block with an interval of CPU at load; null where none came. */
  firstIntervalS: z.number().nonnegative().nullable(),
  /** Of its bursts; null where it failed before it had any. */
  users: z.int().positive().nullable(),
  /** As printed. */
  ratios: ratios(estimateSchema.nullable()),
  /** The verdict, or why there is none. */
  said: z.string(),
});
export type AskedRun = z.infer<typeof askedRunSchema>;

/** One window of wrk on each side, one after the other. */
export const wrkPairSchema = z.strictObject({
  at: z.iso.datetime(),
  /** Both windows, and a warm-up where the server needs one. */
  seconds: z.number().nonnegative(),
  baseline: ratios(z.number()),
  comparison: ratios(z.number()),
});
export type WrkPair = z.infer<typeof wrkPairSchema>;

/** A run, and the pair of windows that followed it; null where it failed or has not come yet. */
export type Repetition = {
  target: RepeatTarget;
  machine: RepeatMachine;
  run: AskedRun;
  pair: WrkPair | null;
};
