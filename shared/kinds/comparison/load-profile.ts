import { z } from 'zod';
import { asAsked, exactSchemas, requestSchemas } from '../../base/option-schema.ts';
import { twoSidesAndTwin } from '../../base/transport.ts';
import { armSchema, declaredArmsSchema } from '../../base/transport-schema.ts';
import { permitSchema } from '../../target/target.ts';
import { connectionPolicies, lengthNames, loadOptions } from './options.ts';

/** How much load, for how long, in what shape: the plan made from a length. */

const exact = exactSchemas(loadOptions);

/** Options that a plan contains as requested. */
export const askedOptions = asAsked(loadOptions);

/**
 * `lockstep`: one user does the transaction on the arms one right after another. `maximum`: closed loop, each arm as fast
 * as it can. `steady`: all arms at the same arrival rate.
 */
export const operatingPointSchema = z.enum(['lockstep', 'maximum', 'steady']);
export type OperatingPoint = z.infer<typeof operatingPointSchema>;

/** A run in lockstep, over several launches of the target. */
export const planSchema = z.strictObject({
  ...requestSchemas(askedOptions),
  /** Arms that are measured in turn; a run without the field had the default. */
  arms: declaredArmsSchema(armSchema).default([...twoSidesAndTwin]),
  /** Seeds every random order; the same seed gives the same orders. */
  seed: z.int().nonnegative(),
  /** Factor on the think times of the scenario; 0 leaves them out. */
  thinkTimeScale: exact.thinkTimeScale.default(1),
  /** How long a virtual user pauses in a transaction, in all. */
  thinkMs: z.int().nonnegative().default(0),
  /** Processes that share the virtual users among them. */
  generators: exact.generators.default(1),
  /** Other hosts that generate the load, each with so many processes; left out where this machine does. */
  generatorHosts: exact.generatorHosts.optional(),
  /** They are pods of a cluster, created for the run. */
  generatorPods: exact.generatorPods.optional(),
  requestTimeoutMs: z.int().positive(),
  /** Permission for a target on another host; absent on this machine. */
  permit: permitSchema.optional(),
  /** Transactions per second offered to all arms in open load: as asked for, else null until it is known what they manage. */
  ratePerS: z.number().positive().nullable(),
  /** Starts of the target: never fewer than `minimum`, and no more than `maximum` or than the time holds. One for a target that stands already. */
  launches: z.strictObject({ minimum: exact.launches, maximum: exact.launches }),
  /** Epochs per launch. Each is a lockstep block, a maximum block and, if there is open load, a steady one. */
  epochs: z.strictObject({ minimum: z.int().positive(), maximum: z.int().positive() }),
  lockstepMs: z.int().positive(),
  maximumMs: z.int().positive(),
  /** Approximate length of a sample at load. */
  sampleMs: z.int().positive().default(1000),
  /** Time per arm in open load; null without it. */
  openMs: z.int().positive().nullable(),
  /** Lasts until each arm has served this many transactions; null: until its last second is no cheaper than the one before. */
  warmUp: z.strictObject({ transactions: z.int().positive().nullable(), longestMs: z.int().positive() }),
  /** From the first connection to the verdict. */
  longestS: z.number().positive(),
});
export type Plan = z.infer<typeof planSchema>;

/** Schemas of the named choices of a load. */

export const lengthSchema = z.enum(lengthNames);

export const connectionPolicySchema = z.enum(connectionPolicies);
export type ConnectionPolicy = z.infer<typeof connectionPolicySchema>;
