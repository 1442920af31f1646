import { z } from 'zod';
import { countSchema, nonNegativeSchema, unixMillisSchema } from '../base/units.ts';

/** Hosts that offer their load generator to a dashboard or a runner. */

export const generatorNameSchema = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/,
    'the name of a generator has letters, digits, dots, underscores and hyphens, 63 at most',
  );

/** What is known of its clock, from many round trips. */
const hostClockSchema = z.strictObject({
  /** By which its time of day is ahead of this machine's, ms. Said only: bursts go by clocks that nobody sets. */
  offsetMs: z.number(),
  /** How far the start of a burst may be off there, µs: half of the shortest round trip. */
  withinUs: nonNegativeSchema,
  /** The median, µs. */
  roundTripUs: nonNegativeSchema,
});
export type HostClock = z.infer<typeof hostClockSchema>;

export const generatorHostSchema = z.strictObject({
  name: generatorNameSchema,
  /** That it comes from. */
  address: z.string(),
  cores: z.int().positive(),
  /** What it may load, as its command line names it. */
  allow: z.array(z.string()),
  joinedAt: unixMillisSchema,
  state: z.enum(['idle', 'busy']),
  /** Null for a moment after it has joined. */
  clock: hostClockSchema.nullable(),
});
export type GeneratorHost = z.infer<typeof generatorHostSchema>;

/** What one of them did in a measurement. */
const hostShareSchema = generatorHostSchema.pick({ name: true, address: true }).extend({
  processes: z.int().positive(),
  /** All that it sent, warm-up included; of one that was lost, as far as it is known. */
  requests: countSchema,
  cpuUs: nonNegativeSchema,
  /** Share of a core that its busiest process used in bursts. */
  busiestShare: nonNegativeSchema,
  /** By which its bursts began later than ordered, µs. */
  lateness: z.strictObject({ medianUs: nonNegativeSchema, longestUs: nonNegativeSchema }),
  roundTripUs: nonNegativeSchema,
  withinUs: nonNegativeSchema,
  /** It had no more to give, by how busy or how late it was. */
  limited: z.boolean(),
});

export const hostsUsedSchema = z.strictObject({
  hosts: z.array(hostShareSchema).min(1),
  bursts: countSchema,
  /** Of the time of all bursts, what went by in waiting for orders and answers. */
  idleShare: z.number().min(0).max(1),
  /** Times that a host was lost and came back: what was being measured then was measured again. */
  losses: countSchema,
});
export type HostsUsed = z.infer<typeof hostsUsedSchema>;
export type HostShare = HostsUsed['hosts'][number];
