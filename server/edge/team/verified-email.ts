import { type Configuration, fetchUserInfo, type TokenEndpointResponse } from 'openid-client';
import { z } from 'zod';
import { problem } from '../../../shared/base/problem.ts';
import { emailSchema } from '../../../shared/team/team.ts';

type Tokens = TokenEndpointResponse & { claims(): { sub: string; email?: unknown } | undefined };

/** Some providers send the text `true`. */
const claimsSchema = z.object({
  email: z.string(),
  email_verified: z
    .union([z.literal(true), z.literal('true')])
    .optional()
    .catch(undefined),
});

/** Where other letters become those of an address when they are written small, two people would have one address. */
const ascii = /^[\x21-\x7e]+$/;

/** From the ID token or, where that has none, from the provider's userinfo. Throws email_unverified. */
export async function verifiedEmail(provider: Configuration, tokens: Tokens): Promise<string> {
  const identity = tokens.claims();
  if (identity === undefined) throw new Error('it sent no ID token');
  const claims =
    identity.email === undefined
      ? await fetchUserInfo(provider, tokens.access_token, identity.sub)
      : identity;
  const parsed = claimsSchema.safeParse(claims);
  if (!parsed.success) throw problem('email_unverified', 'The identity provider sent no email address.');
  const { email, email_verified } = parsed.data;
  const address = emailSchema.safeParse(email);
  if (email_verified === undefined || !address.success || !ascii.test(email))
    throw problem('email_unverified', 'The identity provider has not verified the email address.');
  return address.data;
}
