import { z } from 'zod';
import { permalinkIdSchema, unixMillisSchema } from '../base/units.ts';
import { roleSchema } from './identity.ts';
import { emailSchema } from './team.ts';

/** Keys that programs such as CI jobs send instead of signing in. Each acts for a user and ends with the user. */

/** Begins every key, so that one can be told from other secrets and found where it leaked. */
export const keyPrefix = 'tt_';

/** 256 random bits in base64url behind the prefix. */
export const keyPattern = /^tt_[\w-]{43}$/;

export const apiKeySchema = z.strictObject({
  id: permalinkIdSchema,
  name: z.string(),
  role: roleSchema,
  /** Email address of the user it acts for. */
  user: z.string(),
  createdAt: unixMillisSchema,
  /** Null for a key that does not expire. */
  expiresAt: unixMillisSchema.nullable(),
  /** To the minute; null for a key that was never used. */
  usedAt: unixMillisSchema.nullable(),
});
export type ApiKey = z.infer<typeof apiKeySchema>;

export const newApiKeySchema = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1, 'name the key after what will use it')
    .max(60, 'must have at most 60 characters'),
  /** Left out, that of the user, operator at most. */
  role: roleSchema.optional(),
  /** Until it expires; null for never. */
  days: z
    .int('must be a whole number of days')
    .min(1, 'must be 1 day or more')
    .max(3650, 'must be at most 3650 days')
    .nullable()
    .default(90),
  /** Whose key it is, for the command line of the server's machine, which is nobody. */
  user: emailSchema.optional(),
});
export type NewApiKey = z.infer<typeof newApiKeySchema>;

/** With the key itself, which is shown once and stored as a hash. */
export const createdApiKeySchema = apiKeySchema.extend({ key: z.string().regex(keyPattern) });
export type CreatedApiKey = z.infer<typeof createdApiKeySchema>;
