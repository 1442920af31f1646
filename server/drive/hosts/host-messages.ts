import { z } from 'zod';
import { countSchema, nonNegativeSchema } from '../../../shared/base/units.ts';
import { generatorNameSchema } from '../../../shared/measurement/runner.ts';
import type { FrameLimits } from './frames.ts';

/**
 * The messages between a dashboard and the host of a generator, in frames over TLS 1.3. The dashboard sends a greeting; the host answers with
 * its name and a proof that it has the token. When a run takes the host, the host starts generator processes and passes the
 * conductor's questions to them. Every order carries the fence of that run. Beats renew the host's lease: without them it ends its load.
 */

const mebibyte = 1024 * 1024;

/** Before a host has proved that it has the token. */
export const introductionLimits: FrameLimits = { frame: 16_384, text: 16_384 };
/** From a host: the histograms of one arm are arrays. */
export const replyLimits: FrameLimits = { frame: 64 * mebibyte, text: 4 * mebibyte };
/** From a dashboard: a scenario with all its data is text. */
export const orderLimits: FrameLimits = { frame: 64 * mebibyte, text: 64 * mebibyte };

export const beatEveryMs = 250;
/** How long a host loads without a beat. After that it kills its processes. */
export const leaseMs = 1500;

/** Printed in terminals and logs: one line without control characters. */
function lineSchema(longest: number) {
  return z
    .string()
    .max(longest)
    .regex(/^\P{Cc}*$/u);
}

export const greetingSchema = z.strictObject({
  generators: z.literal('tls-toll'),
  version: lineSchema(60),
  nonce: z.string().regex(/^[0-9a-f]{32}$/),
});

export const helloSchema = z.strictObject({
  version: lineSchema(60),
  name: generatorNameSchema,
  cores: z.int().min(1).max(1024),
  allow: z.array(lineSchema(300)).max(50),
  /** HMAC of the name with the `channelKey`. */
  proof: z.string().regex(/^[0-9a-f]{64}$/),
});
export type Hello = z.infer<typeof helloSchema>;

export const welcomeSchema = z.union([
  /** Where the dashboard itself listens: the host never loads it. */
  z.strictObject({ own: z.array(z.strictObject({ host: z.string().max(60), port: z.int() })).max(200) }),
  /** For good: the host does not ask again. */
  z.strictObject({ refused: lineSchema(300) }),
  /** For now: the name is taken, maybe by an earlier connection of the same host that has not ended yet. */
  z.strictObject({ later: lineSchema(300) }),
]);
export type Welcome = z.infer<typeof welcomeSchema>;

const fenceSchema = z.int().positive();

export const orderSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('beat'), beat: countSchema, fence: fenceSchema.nullable() }),
  z.strictObject({
    type: z.literal('take'),
    call: z.int(),
    fence: fenceSchema,
    processes: z.int().min(1).max(64),
  }),
  z.strictObject({
    type: z.literal('ask'),
    call: z.int(),
    fence: fenceSchema,
    process: countSchema,
    name: z.string().max(20),
    question: z.unknown().optional(),
  }),
  z.strictObject({ type: z.literal('release'), fence: fenceSchema }),
]);
export type Order = z.infer<typeof orderSchema>;
export type OrderOf<Type extends Order['type']> = Extract<Order, { type: Type }>;

export const beatReplySchema = z.strictObject({
  beat: countSchema,
  /** On the host's monotonic clock. */
  atUs: nonNegativeSchema,
  /** Its time of day. */
  wallMs: nonNegativeSchema,
});
export type BeatReply = z.infer<typeof beatReplySchema>;

/** The answer to a call of the run with this fence. */
export const replySchema = z.strictObject({
  fence: fenceSchema,
  call: z.int(),
  answer: z.unknown().optional(),
  problem: z.string().max(2000).optional(),
});
export type HostReply = z.infer<typeof replySchema>;
