import { z } from 'zod';
import { transportSchema } from '../base/transport-schema.ts';
import { serverNames } from './server-options.ts';

/** A server that a run can start, as it was looked for on this machine. */
export const foundServerSchema = z.strictObject({
  name: z.enum(serverNames),
  /** As its documentation calls it. */
  title: z.string(),
  installed: z.boolean(),
  /** Of its program. */
  path: z.string().nullable(),
  version: z.string().nullable(),
  /** Debian's, which bring it. */
  packages: z.array(z.string()),
  /** Those of them that are still needed. */
  missing: z.array(z.string()),
  transports: z.array(transportSchema),
  /** Why it cannot leave encryption to the kernel (kTLS); null where it can. */
  kTlsProblem: z.string().nullable(),
});
export type FoundServer = z.infer<typeof foundServerSchema>;

/** A program of this machine that answers over HTTP or HTTPS on loopback, as a target to choose. */
const localServerSchema = z.strictObject({
  /** Of its process; null where that is not ours to see. */
  program: z.string().nullable(),
  /** Ports, ascending. */
  http: z.array(z.int()),
  https: z.array(z.int()),
});
export type LocalServer = z.infer<typeof localServerSchema>;

export const localServersSchema = z.strictObject({ servers: z.array(localServerSchema) });
