import { z } from 'zod';
import { connectionPolicies, lengthNames } from './load-names.ts';

/** What is chosen of a load by name. */

export const lengthSchema = z.enum(lengthNames);

export const connectionPolicySchema = z.enum(connectionPolicies);
export type ConnectionPolicy = z.infer<typeof connectionPolicySchema>;
