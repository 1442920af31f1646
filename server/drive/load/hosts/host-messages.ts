import { z } from 'zod';
import { countSchema, nonNegativeSchema } from '../../../../shared/base/units.ts';
import { generatorNameSchema } from '../../../../shared/measurement/generator-host.ts';

/**
 * What goes between a dashboard and the host of a generator, in frames over TLS 1.3. The dashboard greets; the host says who it is, with a proof
 * that it has the token. Once it is taken, it does what the conductor asks of the processes of today's generator, which are
 * started and ended by it. Every order carries the fence of the taking, and a beat renews it: a host that hears none ends its load.
 */

/** Before a host has shown the token. */
export const longestIntroduction = 16_384;
/** A scenario with all its data, or the histograms of one arm. */
export const longestFrame = 64 * 1024 * 1024;

export const beatEveryMs = 250;
/** How long a host loads without a beat. Beyond it its processes are killed. */
export const leaseMs = 1500;

export const greetingSchema = z.strictObject({
  generators: z.literal('tls-toll'),
  version: z.string().max(60),
  nonce: z.string().regex(/^[0-9a-f]{32}$/),
});

export const helloSchema = z.strictObject({
  version: z.string().max(60),
  name: generatorNameSchema,
  cores: z.int().min(1).max(1024),
  allow: z.array(z.string().max(300)).max(50),
  /** HMAC with the key of the channel, of the name: `channelKey`. */
  proof: z.string().regex(/^[0-9a-f]{64}$/),
});
export type Hello = z.infer<typeof helloSchema>;

export const welcomeSchema = z.union([
  /** Where the dashboard itself listens, which is never loaded. */
  z.strictObject({ own: z.array(z.strictObject({ host: z.string().max(60), port: z.int() })).max(200) }),
  /** For good: to ask again changes nothing. */
  z.strictObject({ refused: z.string().max(300) }),
  /** Another one has the name: it may be a connection of its own that has not ended yet. */
  z.strictObject({ later: z.string().max(300) }),
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

/** To a call of the taking that has this fence. */
export const replySchema = z.strictObject({
  fence: fenceSchema,
  call: z.int(),
  answer: z.unknown().optional(),
  problem: z.string().max(2000).optional(),
});
export type HostReply = z.infer<typeof replySchema>;
