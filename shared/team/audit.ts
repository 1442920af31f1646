import { z } from 'zod';
import { permalinkIdSchema, unixMillisSchema } from '../base/units.ts';

/** The audit log: who started and changed what, from where. It is only ever added to. */

/** Who did something, as they were called then. */
const askerSchema = z.strictObject({
  /** Email address of a user, or what acts without one, such as a schedule. */
  who: z.string(),
  /** Null where no user is behind it. */
  userId: permalinkIdSchema.nullable(),
  /** Name of the API key that was sent; null for a browser. */
  key: z.string().nullable(),
  /** IP address that the request came from; null for what came by none. */
  from: z.string().nullable(),
});
export type Asker = z.infer<typeof askerSchema>;

/** What acts without a user, by its name. */
export function program(who: string): Asker {
  return { who, userId: null, key: null, from: null };
}

/** A program of the server's own machine. */
export const thisMachine = program('this machine');

export const auditEventSchema = askerSchema.extend({
  id: permalinkIdSchema,
  at: unixMillisSchema,
  /** Name of the endpoint that was called, or a word for what is none. */
  what: z.string(),
  /** The same for people. */
  act: z.string(),
  /** Address, ID or email address of what it was done to; null for the server as a whole. */
  subject: z.string().nullable(),
  /** Another host that it was about. */
  host: z.string().nullable(),
  /** Why, where that was said, or what else there is to know. */
  note: z.string().nullable(),
});
export type AuditEvent = z.infer<typeof auditEventSchema>;

/** What is done without a call of the API, or beside one. */
export const otherActs: Record<string, string> = {
  allowed: 'Allowed a host',
  withdrawn: 'Withdrew permission for a host',
  launched: 'Put load on a host',
  recorded: 'Recorded on a host',
  replayed: 'Replayed a test on a host',
  taken_over: 'Took over a recording of the command line',
  probed: 'Probed a host',
  checked: 'Checked a host',
  stopped: 'Stopped all load',
  retired: 'Moved results to the bin',
  repeated: 'Started a scheduled measurement',
};
