import {
  AuthorizationResponseError,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ResponseBodyError,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import { z } from 'zod';
import { apiPrefix } from '../../../shared/api/prefix.ts';
import { sessionEndpoints } from '../../../shared/api/session-endpoints.ts';
import { ProblemError, problem } from '../../../shared/base/problem.ts';
import type { Actor } from '../../../shared/team/identity.ts';
import { openDiscovery, unusable } from './discover-provider.ts';
import { readClientSecret } from './read-client-secret.ts';
import { openSealedCookie } from './sealed-cookie.ts';
import type { ProviderSignIn } from './team.ts';
import { verifiedEmail } from './verified-email.ts';

/**
 * Sign-in with OpenID Connect: the code flow with PKCE, state, and nonce. All that is learned is an email address that the
 * provider has verified. Nobody becomes a user by it, and no token is kept.
 */

export type ProviderConfig = {
  issuer: URL;
  clientId: string;
  clientSecretFile: string;
  /** As people know it. */
  name: string;
  /** Left out, as long as somebody waits for a page. */
  patienceS?: number;
  /** Left out, a minute. */
  againS?: number;
};

/**
 * Throws invalid_environment.
 * @param url where people reach this server
 * @param admit starts a session of the user with that address; throws not_a_user
 */
export function openProvider(
  { clientSecretFile, ...address }: ProviderConfig,
  { origin: home }: URL,
  keeping: { secret: string; secure: boolean },
  admit: (email: string) => Promise<{ actor: Actor; cookies: string[] }>,
): ProviderSignIn {
  const discover = openDiscovery({ ...address, clientSecret: readClientSecret(clientSecretFile) });
  const callback = `${home}${apiPrefix}${sessionEndpoints.finishProviderSignIn.path}`;
  const carried = openSealedCookie('provider', carriedSchema, keeping);

  /** Throws provider_refused, provider_unusable, email_unverified. */
  async function proveEmail(query: URLSearchParams, { state, nonce, verifier }: Carried): Promise<string> {
    if (query.get('state') !== state) throw refused('The answer belongs to another attempt to sign in.');
    try {
      const provider = await discover();
      const tokens = await authorizationCodeGrant(provider, new URL(`${callback}?${query}`), {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
      });
      return await verifiedEmail(provider, tokens);
    } catch (error) {
      throw explain(error, address.issuer);
    }
  }

  return {
    async begin(returnTo, origin) {
      if (origin !== home) throw problem('sign_in_elsewhere', `The identity provider knows ${home} only.`);
      const provider = await discover();
      const [state, nonce, verifier] = [randomState(), randomNonce(), randomPKCECodeVerifier()];
      const { href } = buildAuthorizationUrl(provider, {
        redirect_uri: callback,
        scope: 'openid email',
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
      return { url: href, cookies: [await carried.seal({ state, nonce, verifier, returnTo })] };
    },

    async finish(query, headers) {
      const facts = await carried.open(headers);
      const { returnTo } = facts ?? { returnTo: '/' };
      try {
        if (facts === null) throw refused('This browser has not begun to sign in, or too long ago.');
        const { actor, cookies } = await admit(await proveEmail(query, facts));
        return { returnTo, cookies: [...cookies, carried.removal], actor };
      } catch (error) {
        if (!(error instanceof ProblemError)) throw error;
        return { returnTo, cookies: [carried.removal], actor: null, problem: error };
      }
    },
  };
}

const carriedSchema = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  returnTo: z.string(),
});
type Carried = z.infer<typeof carriedSchema>;

function refused(fact: string, cause?: unknown) {
  return problem('provider_refused', fact, { cause });
}

/** What the provider said no to, and everything else that may go wrong between two servers. */
function explain(error: unknown, issuer: URL): unknown {
  if (error instanceof ProblemError) return error;
  if (error instanceof AuthorizationResponseError)
    return refused(`The identity provider answered ${error.error.slice(0, 100)}.`, error);
  if (error instanceof ResponseBodyError && error.error === 'invalid_grant')
    return refused('The identity provider does not accept the code that it gave.', error);
  return unusable(issuer, error);
}
