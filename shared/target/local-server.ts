import { z } from 'zod';

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
