import { z } from 'zod';
import { permalinkIdSchema, unixMillisSchema } from './units.ts';

/** Passkeys (WebAuthn): a browser proves that it holds a private key, after its user has unlocked it. */

export const passkeySchema = z.strictObject({
  id: permalinkIdSchema,
  name: z.string(),
  createdAt: unixMillisSchema,
  /** Null for one that was never used. */
  usedAt: unixMillisSchema.nullable(),
});
export type Passkey = z.infer<typeof passkeySchema>;

/** How somebody signs in without the identity provider. */
export const accountSchema = z.strictObject({
  /** Whether there is one. */
  password: z.boolean(),
  passkeys: z.array(passkeySchema),
});
export type Account = z.infer<typeof accountSchema>;

const base64url = z
  .string()
  .max(60_000)
  .regex(/^[\w-]+$/, 'must be base64url');
const type = z.literal('public-key');
/** As authenticators name them; browsers know which is which. */
const transports = z.array(z.string().max(20)).max(10).default([]);

/** What a browser needs to make a passkey. */
export const creationOptionsSchema = z.object({
  challenge: base64url,
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: base64url, name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ type, alg: z.int() })),
  timeout: z.int(),
  excludeCredentials: z.array(z.object({ type, id: base64url, transports })),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
});
export type CreationOptions = z.infer<typeof creationOptionsSchema>;

/** What a browser needs to use a passkey. It offers all that it has for this server. */
export const requestOptionsSchema = z.object({
  challenge: base64url,
  rpId: z.string(),
  timeout: z.int(),
  userVerification: z.literal('required'),
});
export type RequestOptions = z.infer<typeof requestOptionsSchema>;

export const newPasskeySchema = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1, 'name the passkey after where it is')
    .max(60, 'must have at most 60 characters'),
  credential: z.object({
    id: base64url,
    rawId: base64url,
    type,
    response: z.object({ clientDataJSON: base64url, attestationObject: base64url, transports }),
  }),
});
export type NewPasskey = z.infer<typeof newPasskeySchema>;

export const passkeySignInSchema = z.strictObject({
  credential: z.object({
    id: base64url,
    rawId: base64url,
    type,
    response: z.object({
      clientDataJSON: base64url,
      authenticatorData: base64url,
      signature: base64url,
    }),
  }),
});
export type PasskeySignIn = z.infer<typeof passkeySignInSchema>;
