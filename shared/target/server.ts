import { z } from 'zod';
import { transportSchema } from '../base/transport-schema.ts';
import { serverNames } from './server-names.ts';

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
