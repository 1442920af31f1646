import { z } from 'zod';
import { connectionPolicies, presets } from './load-names.ts';

/** What is chosen of a load by name. */

export const presetSchema = z.enum(presets);
export type Preset = z.infer<typeof presetSchema>;

export const connectionPolicySchema = z.enum(connectionPolicies);
export type ConnectionPolicy = z.infer<typeof connectionPolicySchema>;
