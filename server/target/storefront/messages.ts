import { z } from 'zod';
import { targetCountersSchema } from '../../../shared/target.ts';
import { perturbationSchema } from './perturbation.ts';

/** What the server and a storefront process say to each other over IPC. */

export const orderSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('start'),
    /** Null for no TLS. */
    certificate: z.strictObject({ certPem: z.string(), keyPem: z.string() }).nullable(),
    http2: z.boolean(),
    store: z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('sqlite'), path: z.string() }),
      z.strictObject({ kind: z.literal('postgres'), url: z.string() }),
    ]),
    accessLogPath: z.string(),
    address: z.union([z.ipv4(), z.ipv6()]),
    /** 0 for any free one. */
    port: z.int().min(0).max(65_535),
  }),
  z.strictObject({ type: z.literal('counters') }),
  z.strictObject({ type: z.literal('perturb'), perturbation: perturbationSchema.nullable() }),
  z.strictObject({ type: z.literal('stop') }),
]);
export type Order = z.infer<typeof orderSchema>;
export type StartOrder = Extract<Order, { type: 'start' }>;

/** Answers come in the order of the questions. */
export const answerSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('listening'), port: z.int() }),
  z.strictObject({ type: z.literal('failed'), message: z.string() }),
  z.strictObject({ type: z.literal('counters'), counters: targetCountersSchema }),
  z.strictObject({ type: z.literal('perturbed') }),
]);
export type ProcessAnswer = z.infer<typeof answerSchema>;
