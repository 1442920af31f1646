import { z } from 'zod';
import { countSchema } from '../../../shared/base/units.ts';
import type { Questions } from '../../base/process/asked-process.ts';
import { handshakeFailures } from '../../method/tool/judge-tool.ts';

const orderSchema = z.strictObject({
  /** The tool and its arguments; each `here` becomes the listener's origin. */
  command: z.array(z.string()).min(1),
  environment: z.record(z.string(), z.string()),
  directory: z.string(),
  secure: z.boolean(),
  path: z.string(),
  identity: z.strictObject({ certPem: z.string(), keyPem: z.string(), caFile: z.string() }),
  limitMs: countSchema,
  /** In a network namespace of its own, whose loopback is still down. */
  alone: z.boolean(),
});
export type Order = z.infer<typeof orderSchema>;

/** What one kind of connection agreed on. */
const agreedSchema = z.strictObject({
  protocol: z.string(),
  suite: z.string(),
  connections: countSchema,
});

const countsSchema = z.strictObject({
  /** How the tool ended: `exit code 0`, `SIGKILL`. Null where the time limit ended it. */
  ended: z.string().nullable(),
  seconds: z.number(),
  connections: countSchema,
  openAtOnce: countSchema,
  /** Of those with TLS. */
  resumed: countSchema,
  failedHandshakes: z.array(z.strictObject({ reason: z.enum(handshakeFailures), connections: countSchema })),
  agreed: z.array(agreedSchema),
  /** That the first connections agreed on keys in. */
  groups: z.array(z.string()),
  requests: countSchema,
  http10Requests: countSchema,
  http2Requests: countSchema,
  /** Requests on each connection that had one, as a median. */
  requestsPerConnection: z.number(),
  /** Connections that the tool asked to be closed after a response. */
  askedToClose: countSchema,
  /** Rates of requests, per second, while answers came at once and while each was held back; null where it ended before both were seen. */
  pace: z.strictObject({ atOnce: z.number(), heldBack: z.number(), delayMs: z.number() }).nullable(),
  /** Cores kept busy. */
  cores: z.strictObject({ tool: z.number(), busiestThread: z.number(), listener: z.number() }),
});
export type Counts = z.infer<typeof countsSchema>;

export const questions = {
  inspect: { question: orderSchema, answer: countsSchema },
} satisfies Questions;
