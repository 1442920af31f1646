import { z } from 'zod';
import { httpVersions } from '../../../shared/base/transport.ts';
import { targetCountersSchema } from '../../../shared/target/target.ts';
import { perturbationSchema } from './perturbation.ts';

const startOrderSchema = z.strictObject({
  /** Null for no TLS. */
  certificate: z.strictObject({ certPem: z.string(), keyPem: z.string() }).nullable(),
  httpVersion: z.enum(httpVersions),
  store: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('sqlite'), path: z.string() }),
    z.strictObject({ kind: z.literal('postgres'), url: z.string() }),
  ]),
  accessLogPath: z.string(),
  address: z.union([z.ipv4(), z.ipv6()]),
  /** 0 for any free one. */
  port: z.int().min(0).max(65_535),
});
export type StartOrder = z.infer<typeof startOrderSchema>;

export const questions = {
  /** Answers the port. */
  start: { question: startOrderSchema, answer: z.int() },
  counters: { question: z.void(), answer: targetCountersSchema },
  perturb: { question: perturbationSchema.nullable(), answer: z.void() },
};
