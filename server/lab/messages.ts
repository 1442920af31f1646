import { z } from 'zod';
import { labCellSchema } from '../../shared/lab.ts';
import { preparedSchema, samplesSchema, timesSchema, turnsSchema } from '../../shared/lab-samples.ts';
import { countSchema } from '../../shared/units.ts';

/** What the server and a process of the lab say to each other over IPC. */

const call = z.int();

/** `turns` plays those of a handshake, and the cell's payload, without TLS. */
const what = { call, cell: labCellSchema, turns: turnsSchema.nullable() };

export const commandSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('prepare'), call, cell: labCellSchema }),
  z.strictObject({ type: z.literal('visit'), ...what, connections: countSchema }),
  /** Answers at the path of a socket, until it is told to listen to something else. */
  z.strictObject({ type: z.literal('listen'), ...what, path: z.string() }),
  /** Opens a session to resume, where the cell does, and some connections that do not count. */
  z.strictObject({ type: z.literal('meet'), ...what, path: z.string(), connections: countSchema }),
  z.strictObject({ type: z.literal('dial'), ...what, path: z.string(), connections: countSchema }),
  /** What the connections answered since the last count took. */
  z.strictObject({ type: z.literal('count'), call }),
]);
export type Command = z.infer<typeof commandSchema>;

export const replySchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('prepared'), call, prepared: preparedSchema }),
  z.strictObject({ type: z.literal('visited'), call, samples: samplesSchema }),
  z.strictObject({ type: z.literal('done'), call }),
  z.strictObject({ type: z.literal('counted'), call, cpuUs: timesSchema }),
  /** What the library says against it. The process goes on. */
  z.strictObject({ type: z.literal('refused'), call, reason: z.string() }),
]);
export type Reply = z.infer<typeof replySchema>;
