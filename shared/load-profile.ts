import { z } from 'zod';

/** How much load, for how long, in what shape: the presets and the plan made from one. */

export const presetSchema = z.enum(['quick', 'standard', 'thorough']);
export type Preset = z.infer<typeof presetSchema>;

export const connectionPolicySchema = z.enum([
  'keep-alive',
  'connection-per-transaction',
  'connection-per-request',
]);
export type ConnectionPolicy = z.infer<typeof connectionPolicySchema>;

/** `steady`: both arms at the same arrival rate. `maximum`: closed loop, each as fast as it can. */
export const operatingPointSchema = z.enum(['steady', 'maximum']);
export type OperatingPoint = z.infer<typeof operatingPointSchema>;

/** One uninterrupted window. The first `discardMs` of it feed no latency and no throughput. */
const slotShapeSchema = z.strictObject({
  durationMs: z.int().positive(),
  discardMs: z.int().nonnegative(),
});
export type SlotShape = z.infer<typeof slotShapeSchema>;

export const planSchema = z.strictObject({
  preset: presetSchema,
  /** Seeds the order of the blocks; the same seed gives the same order. */
  seed: z.int().nonnegative(),
  connections: z.int().min(1).max(5000),
  connectionPolicy: connectionPolicySchema,
  capacityMs: z.int().positive(),
  warmUp: z.strictObject({
    minimumMs: z.int().positive(),
    maximumMs: z.int().positive(),
    minimumRequests: z.int().positive(),
  }),
  /** Blocks at each operating point: never fewer than `minimum`, never more than `maximum`. */
  blocksPerPoint: z.strictObject({ minimum: z.int().positive(), maximum: z.int().positive() }),
  slots: z.strictObject({ steady: slotShapeSchema, maximum: slotShapeSchema }),
  idleMs: z.int().nonnegative(),
  requestTimeoutMs: z.int().positive(),
  /** Transactions per second offered to both arms at the steady point; null until capacity is known. */
  ratePerS: z.number().positive().nullable(),
});
export type Plan = z.infer<typeof planSchema>;
