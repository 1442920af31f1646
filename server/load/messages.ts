import { z } from 'zod';
import { connectionPolicySchema } from '../../shared/load-profile.ts';
import { errorGroupSchema } from '../../shared/outcome.ts';
import { scenarioSchema } from '../../shared/scenario.ts';
import { loadResultSchema } from '../../shared/slot.ts';
import { listenerSchema } from '../../shared/target.ts';
import { negotiatedTlsSchema, tlsProfileSchema } from '../../shared/tls-profile.ts';
import { armSchema } from '../../shared/transport.ts';

/** What the server and the generator process say to each other over IPC. */

const slotOptionsSchema = z.strictObject({
  durationMs: z.number().positive(),
  discardMs: z.number().nonnegative(),
  ratePerS: z.number().positive().nullable(),
});

export const configurationSchema = z.strictObject({
  listeners: z.array(listenerSchema),
  scenario: scenarioSchema,
  tls: tlsProfileSchema,
  connectionPolicy: connectionPolicySchema,
  connections: z.int().positive(),
  requestTimeoutMs: z.int().positive(),
});
export type Configuration = z.infer<typeof configurationSchema>;

export const commandSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('configure'), call: z.int(), configuration: configurationSchema }),
  z.strictObject({ type: z.literal('prepare'), call: z.int(), arm: armSchema }),
  z.strictObject({ type: z.literal('run'), call: z.int(), arm: armSchema, slot: slotOptionsSchema }),
]);
export type Command = z.infer<typeof commandSchema>;

export const preparedSchema = z.strictObject({
  connectionsOpened: z.int(),
  handshakesFull: z.int(),
  handshakesResumed: z.int(),
  negotiated: negotiatedTlsSchema.nullable(),
  errors: z.array(errorGroupSchema),
});

export const replySchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('configured'), call: z.int() }),
  z.strictObject({ type: z.literal('prepared'), call: z.int(), prepared: preparedSchema }),
  z.strictObject({ type: z.literal('result'), call: z.int(), result: loadResultSchema }),
  z.strictObject({ type: z.literal('failed'), call: z.int(), message: z.string() }),
]);
export type Reply = z.infer<typeof replySchema>;
