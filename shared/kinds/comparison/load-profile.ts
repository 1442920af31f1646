import { z } from 'zod';
import { twoSidesAndTwin } from '../../base/transport.ts';
import { armSchema, declaredArmsSchema } from '../../base/transport-schema.ts';
import { permitSchema } from '../../target/permitted-target.ts';
import { connectionPolicySchema, presetSchema } from './load-choice.ts';

/** How much load, for how long, in what shape: the plan made from a preset. */

export const requestsPerConnectionSchema = z.int().min(1).max(1_000_000);
export const generatorsSchema = z.int().min(1).max(16);

/**
 * `lockstep`: one user does the transaction on the arms one right after another. `maximum`: closed loop, each arm as fast
 * as it can. `steady`: all arms at the same arrival rate.
 */
export const operatingPointSchema = z.enum(['lockstep', 'maximum', 'steady']);
export type OperatingPoint = z.infer<typeof operatingPointSchema>;

export const launchesSchema = z.int().min(1).max(50);
export const windowMsSchema = z.int().min(50).max(2000);
export const pairUsersSchema = z.int().min(1).max(64);
/** A share: 0.05 is 5 %. */
export const toleranceSchema = z.number().min(0.001).max(1);

/** A run in lockstep, over several launches of the target. */
export const planSchema = z.strictObject({
  preset: presetSchema,
  /** What is measured in turn; a run without them had these. */
  arms: declaredArmsSchema(armSchema).default([...twoSidesAndTwin]),
  /** Seeds every random order; the same seed gives the same orders. */
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
  requestTimeoutMs: z.int().positive(),
  /** What a target on another host allows; absent on this machine. */
  permit: permitSchema.optional(),
  /** Transactions per second offered to all arms in open load: as asked for, else null until it is known what they manage. */
  ratePerS: z.number().positive().nullable(),
  /** Starts of the target: never fewer than `minimum`, and no more than `maximum` or than the time holds. One for a target that stands already. */
  launches: z.strictObject({ minimum: launchesSchema, maximum: launchesSchema }),
  /** Of one launch. Each is a lockstep block, a maximum block and, where there is open load, a steady one. */
  epochs: z.strictObject({ minimum: z.int().positive(), maximum: z.int().positive() }),
  lockstepMs: z.int().positive(),
  /** Between two readings of the CPU, with nothing in flight. */
  windowMs: windowMsSchema,
  /** Users who each do the transaction on the arms in turn. */
  pairUsers: pairUsersSchema,
  maximumMs: z.int().positive(),
  /** Of one arm at the maximum. */
  burstMs: z.int().positive(),
  /** Of one arm in open load; null without it. */
  openMs: z.int().positive().nullable(),
  warmUp: z.strictObject({ requests: z.int().positive(), longestMs: z.int().positive() }),
  /** From the first connection to the verdict. */
  longestS: z.number().positive(),
  /** "No overhead above" this. */
  tolerance: toleranceSchema,
});
export type Plan = z.infer<typeof planSchema>;
