import { z } from 'zod';
import { permalinkIdSchema, unixMillisSchema } from '../base/units.ts';

/** Hosts besides this machine that may be loaded, recorded and probed: who allowed them, why, and how much they bear. */

const mostMinutes = 24 * 60;

/** What a target bears, all sides of a run together. The defaults are kind to a staging host. */
export const capsSchema = z.strictObject({
  requestsPerS: z.int().min(1).max(1_000_000).default(100),
  connections: z.int().min(3).max(15_000).default(50),
  /** Of one run. */
  minutes: z.int().min(1).max(mostMinutes).default(15),
  /** Of one run, sent and received. */
  bytes: z.int().min(1_000_000).max(1e15).default(1_000_000_000),
});
export type Caps = z.infer<typeof capsSchema>;

/** What a listener on another host carries along: each process that connects to it judges its address by this. */
export const permitSchema = z.strictObject({
  /** A name, an address or a range such as `10.1.0.0/16`, as `parseHost` prints it. */
  host: z.string().min(1).max(253),
  caps: capsSchema,
});
export type Permit = z.infer<typeof permitSchema>;

export const permittedTargetSchema = permitSchema.extend({
  id: z.string().max(60),
  /** What the environment allows can only be withdrawn there. */
  from: z.enum(['environment', 'page']),
  /** Who, when and why; null for the environment. */
  by: z.string().nullable(),
  at: unixMillisSchema.nullable(),
  why: z.string().nullable(),
});
export type PermittedTarget = z.infer<typeof permittedTargetSchema>;

export const allowRequestSchema = z.strictObject({
  host: z.string().trim().min(1, 'enter a host name, an IP address or a range').max(300),
  why: z.string().trim().min(1, 'say why, for the log').max(300),
  caps: capsSchema.prefault({}),
});
export type AllowRequest = z.infer<typeof allowRequestSchema>;

export const targetActionSchema = z.enum([
  'allowed',
  'withdrawn',
  'launched',
  'recorded',
  'replayed',
  'probed',
  'checked',
  'stopped',
]);
export type TargetAction = z.infer<typeof targetActionSchema>;

/** One line of the log, which is only ever added to. */
export const targetEventSchema = z.strictObject({
  id: permalinkIdSchema,
  at: unixMillisSchema,
  who: z.string(),
  what: targetActionSchema,
  /** Null where all load was stopped. */
  host: z.string().nullable(),
  /** Why it was allowed, or the address of what was launched. */
  note: z.string().nullable(),
});
export type TargetEvent = z.infer<typeof targetEventSchema>;

export const permittedTargetsSchema = z.strictObject({
  targets: z.array(permittedTargetSchema),
  /** The newest first. */
  log: z.array(targetEventSchema),
});
export type PermittedTargets = z.infer<typeof permittedTargetsSchema>;

/** What was under way when all load was stopped. */
export const stoppedSchema = z.strictObject({
  /** Measurements and recordings, those that waited too. */
  stopped: z.int().nonnegative(),
});
