import { z } from 'zod';
import { timedSchema } from '../../../shared/speed.ts';
import { nonNegativeSchema } from '../../../shared/units.ts';

/** What the server and a process that measures primitives say to each other over IPC. */

const call = z.int();
const what = { call, primitive: z.string(), bytes: z.int().positive().nullable() };

export const commandSchema = z.discriminatedUnion('type', [
  /** Makes keys and runs everything until the compiler has done with it. */
  z.strictObject({ type: z.literal('prepare'), ...what }),
  z.strictObject({ type: z.literal('measure'), ...what, sliceMs: z.number().positive() }),
]);
export type Command = z.infer<typeof commandSchema>;

export const replySchema = z.discriminatedUnion('type', [
  /** `emptyCallUs` is of a signature's call that has nothing to verify; null for everything else. */
  z.strictObject({ type: z.literal('prepared'), call, emptyCallUs: nonNegativeSchema.nullable() }),
  z.strictObject({ type: z.literal('measured'), call, timed: z.array(timedSchema) }),
  /** What the library says against it. The process goes on. */
  z.strictObject({ type: z.literal('refused'), call, reason: z.string() }),
]);
export type Reply = z.infer<typeof replySchema>;
