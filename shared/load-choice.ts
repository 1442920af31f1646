import { z } from 'zod';

/** What is chosen of a load by name. */

export const presetSchema = z.enum(['quick', 'standard', 'thorough']);
export type Preset = z.infer<typeof presetSchema>;

export const connectionPolicySchema = z.enum([
  'keep-alive',
  'connection-per-transaction',
  'connection-per-request',
  'requests-per-connection',
]);
export type ConnectionPolicy = z.infer<typeof connectionPolicySchema>;
