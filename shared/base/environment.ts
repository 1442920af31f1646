import { z } from 'zod';

/** Machine and set-up of a run: everything that can move its figures. */
export const environmentSchema = z.strictObject({
  platform: z.string(),
  kernel: z.string(),
  cpuModel: z.string(),
  cpuFlags: z.array(z.string()),
  cores: z.int(),
  /** The same for all runs between two starts of its kernel; left out where that is not known. */
  machine: z.string().max(64).optional(),
  memoryBytes: z.int(),
  governor: z.string().nullable(),
  node: z.string(),
  openssl: z.string(),
  product: z.string(),
  /** Client and server share this machine, so they share its caches and its power budget. */
  sharedMachine: z.boolean(),
  /** Which of several runners measured; left out by a server that has none. */
  runner: z.strictObject({ name: z.string(), labels: z.record(z.string(), z.string()) }).optional(),
});
export type Environment = z.infer<typeof environmentSchema>;
