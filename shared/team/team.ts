import { z } from 'zod';
import { permalinkIdSchema, unixMillisSchema } from '../base/units.ts';
import { roles } from './role.ts';

export const roleSchema = z.enum(roles);

/** Who asks: a person, or a program on the server's own machine, which has no id. */
const actorSchema = z.strictObject({
  id: permalinkIdSchema.nullable(),
  /** Email address of a person. */
  name: z.string(),
  /** That of the key, where one was sent, or of its owner if that is lower. */
  role: roleSchema,
  /** Name of the API key that a program sent on behalf of the person; null for a browser. */
  key: z.string().nullable(),
});
export type Actor = z.infer<typeof actorSchema>;

/** `anna@example.com`, or `anna@example.com with the key nightly`. */
export function printActor({ name, key }: Pick<Actor, 'name' | 'key'>): string {
  return key === null ? name : `${name} with the key ${key}`;
}

/** How people sign in, besides with a password. */
const signInWaysSchema = z.strictObject({
  /** Name of the identity provider; null for none. */
  provider: z.string().nullable(),
});
export type SignInWays = z.infer<typeof signInWaysSchema>;

/** Facts about its reader that a page knows. */
export const identitySchema = z.strictObject({
  /** Null for nobody. */
  actor: actorSchema.nullable(),
  /** Whether results open for everyone who has their link. */
  linksOpen: z.boolean(),
  ways: signInWaysSchema,
});
export type Identity = z.infer<typeof identitySchema>;

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

/** Password typed to sign in; only signing in shows whether it is right. */
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
  /** Path to open after signing in. */
  returnTo: ownPathSchema.default('/'),
});

/** Address to which the browser is sent. */
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

/** The audit log: who started and changed what, from where. It is only ever added to. */

/** Who did something, as they were called then. */
const askerSchema = z.strictObject({
  /** Email address of a user, or what acts without one, such as a schedule. */
  who: z.string(),
  /** Null where no user is behind it. */
  userId: permalinkIdSchema.nullable(),
  /** Name of the API key that was sent; null for a browser. */
  key: z.string().nullable(),
  /** IP address that the request came from; null for what came by none. */
  from: z.string().nullable(),
});
export type Asker = z.infer<typeof askerSchema>;

/** Actor without a user, by its name. */
export function program(who: string): Asker {
  return { who, userId: null, key: null, from: null };
}

/** A program of the server's own machine. */
export const thisMachine = program('this machine');

export const auditEventSchema = askerSchema.extend({
  id: permalinkIdSchema,
  at: unixMillisSchema,
  /** Name of the endpoint that was called, or a word for what is none. */
  what: z.string(),
  /** The same for people. */
  act: z.string(),
  /** Address, ID or email address of what it was done to; null for the server as a whole. */
  subject: z.string().nullable(),
  /** Another host that it was about. */
  host: z.string().nullable(),
  /** Why, where that was said, or what else there is to know. */
  note: z.string().nullable(),
});
export type AuditEvent = z.infer<typeof auditEventSchema>;

/** Actions without a call of the API, or in addition to one. */
export const otherActs: Record<string, string> = {
  allowed: 'Allowed a host',
  withdrawn: 'Withdrew permission for a host',
  launched: 'Put load on a host',
  recorded: 'Recorded on a host',
  replayed: 'Replayed a test on a host',
  taken_over: 'Took over a recording of the command line',
  probed: 'Probed a host',
  checked: 'Checked a host',
  stopped: 'Stopped all load',
  retired: 'Moved results to the bin',
  repeated: 'Started a scheduled run',
};
