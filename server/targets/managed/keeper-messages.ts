import { z } from 'zod';
import { armNameSchema, transportSchema } from '../../../shared/base/transport-schema.ts';
import { managedTargetSchema } from '../../../shared/target/target.ts';
import type { Questions } from '../../base/process/questions.ts';

const upstreamSchema = z.strictObject({
  address: z.string(),
  port: z.int(),
  tls: z
    .strictObject({ hostname: z.string(), caPem: z.string(), identityPem: z.string().nullable() })
    .nullable(),
});
export type Upstream = z.infer<typeof upstreamSchema>;

const orderSchema = z.strictObject({
  target: managedTargetSchema,
  /** Of the server's parts, and of what was built. */
  paths: z.record(z.string(), z.string()),
  /** Of each arm. */
  transports: z.record(armNameSchema, transportSchema),
  /** Of each arm, for servers that pass requests on; null for those that serve documents. */
  upstreams: z.record(armNameSchema, upstreamSchema).nullable(),
  groups: z.string(),
  /** Runtimes write names of what they compile where perf reads them. */
  namesCompiled: z.boolean(),
  /** Path of the program that counts their instructions; null where none are counted. */
  valgrind: z.string().nullable(),
  hostname: z.string(),
  certPem: z.string(),
  keyPem: z.string(),
  /** Of the authority and of a client, where the server demands a certificate of clients. */
  mutual: z.strictObject({ caPem: z.string(), clientIdentity: z.string() }).nullable(),
});
export type Order = z.infer<typeof orderSchema>;

const startedSchema = z.strictObject({
  address: z.string(),
  /** Private to these servers, and gone with them. */
  directory: z.string(),
  ports: z.record(armNameSchema, z.int()),
  /** Roots of the process trees, each the leader of a process group of its own. */
  pids: z.record(armNameSchema, z.int()),
  tlsLibrary: z.string().nullable(),
  /** The configuration of each listener, whole. */
  files: z.array(z.strictObject({ arm: armNameSchema, name: z.string(), text: z.string() })),
});
export type Started = z.infer<typeof startedSchema>;

export const questions = {
  start: { question: orderSchema, answer: startedSchema },
  /** Answered when a server ends that nobody has stopped. */
  death: { question: z.void(), answer: z.string() },
} satisfies Questions;
