import { z } from 'zod';
import { permalinkIdSchema } from '../base/units.ts';
import { roleSchema } from './identity.ts';

/** The people of a server that demands sign-in. */

/** RFC 5321 allows no longer address. */
export const emailSchema = z
  .string()
  .max(254, 'must have at most 254 characters')
  .trim()
  .toLowerCase()
  .pipe(z.email('must be an email address'));

const leastCharacters = 12;
const mostCharacters = 128;

/** What somebody types to sign in; whether it is right is found out by trying. */
const passwordSchema = z
  .string()
  .min(1, 'must not be empty')
  .max(mostCharacters, `must have at most ${mostCharacters} characters`);

const newPasswordSchema = passwordSchema.min(
  leastCharacters,
  `must have at least ${leastCharacters} characters`,
);

export const signInSchema = z.strictObject({ email: emailSchema, password: passwordSchema });
export type SignIn = z.infer<typeof signInSchema>;

/** An address of this server: it begins with one slash, so that it cannot name another. */
const ownPathSchema = z
  .string()
  .max(2000, 'must have at most 2,000 characters')
  .regex(/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/, 'must be an address of this server, such as /runs');

export const providerSignInSchema = z.strictObject({
  /** Where to go afterward. */
  returnTo: ownPathSchema.default('/'),
});

/** Where to send the browser. */
export const providerStartSchema = z.strictObject({ url: z.url({ protocol: /^https?$/ }) });

/** How somebody signs in without the identity provider. */
export const accountSchema = z.strictObject({
  /** Whether there is one. */
  password: z.boolean(),
});
export type Account = z.infer<typeof accountSchema>;

export const passwordChangeSchema = z.strictObject({ current: passwordSchema, next: newPasswordSchema });
export type PasswordChange = z.infer<typeof passwordChangeSchema>;

export const userSchema = z.strictObject({
  id: permalinkIdSchema,
  email: z.string(),
  role: roleSchema,
  /** Milliseconds since 1970. */
  createdAt: z.int(),
});
export type User = z.infer<typeof userSchema>;

export const newUserSchema = z.strictObject({
  email: emailSchema,
  role: roleSchema.default('reader'),
  /** Whether to make a password; without one, the identity provider is the way in. */
  password: z.boolean().default(true),
});
export type NewUser = z.infer<typeof newUserSchema>;

/** With the password that was made for the user; it is shown once and stored as a hash. */
export const userWithPasswordSchema = userSchema.extend({ password: z.string() });
export type UserWithPassword = z.infer<typeof userWithPasswordSchema>;

/** The same, or null for a user who has no password. */
export const createdUserSchema = userSchema.extend({ password: z.string().nullable() });
export type CreatedUser = z.infer<typeof createdUserSchema>;

export const userChangeSchema = z.strictObject({ role: roleSchema });
