import { z } from 'zod';

/** How much load, for how long, in what shape: the presets and the plan made from one. */

export const presetSchema = z.enum(['quick', 'standard', 'thorough']);
export type Preset = z.infer<typeof presetSchema>;

export const connectionPolicySchema = z.enum([
  'keep-alive',
  'connection-per-transaction',
  'connection-per-request',
  'requests-per-connection',
]);
export type ConnectionPolicy = z.infer<typeof connectionPolicySchema>;

export const requestsPerConnectionSchema = z.int().min(1).max(1_000_000);
export const generatorsSchema = z.int().min(1).max(16);

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
  /** After so many requests a connection is closed; counts with the policy of that name only. */
  requestsPerConnection: requestsPerConnectionSchema.default(100),
  /** Factor on the think times of the scenario; 0 leaves them out. */
  thinkTimeScale: z.number().min(0).max(10).default(1),
  /** How long a virtual user pauses in a transaction, in all. */
  thinkMs: z.int().nonnegative().default(0),
  /** At the start of a steady slot the rate rises from nothing for so long; nothing of that is recorded. */
  rampMs: z.int().min(0).max(10_000).default(0),
  /** Processes that share the virtual users among them. */
  generators: generatorsSchema.default(1),
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
  /** Transactions per second offered to both arms at the steady point: as asked for, else null until capacity is known. */
  ratePerS: z.number().positive().nullable(),
});
export type Plan = z.infer<typeof planSchema>;
