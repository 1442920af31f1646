import {
  allowInsecureRequests,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  discovery,
  enableNonRepudiationChecks,
} from 'openid-client';
import { problem } from '../../../shared/base/problem.ts';

type ProviderAddress = {
  issuer: URL;
  clientId: string;
  clientSecret: string;
  /** For each request to the provider: the user who signs in waits for it. */
  patienceS?: number;
};

/**
 * What the provider says of itself. It is asked in each half of a sign-in, so a provider that is down does not keep the server
 * from starting, and people stay on the sign-in page with the reason. Throws provider_unusable.
 */
export async function discoverProvider({
  issuer,
  clientId,
  clientSecret,
  patienceS = 10,
}: ProviderAddress): Promise<Configuration> {
  const found = await discovery(issuer, clientId, {}, authenticate(clientSecret), {
    timeout: patienceS,
    // Signatures of ID tokens are checked, although they come from the provider itself.
    execute: [enableNonRepudiationChecks, ...(issuer.protocol === 'http:' ? [allowInsecureRequests] : [])],
  }).catch((error: unknown) => {
    throw unusable(issuer, error);
  });
  // The library makes exceptions for a provider that serves many organizations under one address.
  const { issuer: named, authorization_endpoint: entrance = '' } = found.serverMetadata();
  if (URL.parse(named)?.href !== issuer.href)
    throw unusable(issuer, new Error(`it calls itself ${named.slice(0, 200)}`));
  const { protocol } = URL.parse(entrance) ?? {};
  if (protocol !== 'https:' && protocol !== issuer.protocol)
    throw unusable(issuer, new Error('it does not say where to sign in'));
  return found;
}

/** In the way that the provider knows. Without a word of it, that is Basic. */
function authenticate(clientSecret: string): ClientAuth {
  const [basic, post] = [ClientSecretBasic(clientSecret), ClientSecretPost(clientSecret)];
  return (provider, ...rest) => {
    const known = provider.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return (known.includes('client_secret_basic') ? basic : post)(provider, ...rest);
  };
}

export function unusable({ href }: URL, cause: unknown) {
  return problem('provider_unusable', `Sign-in with ${href} failed: ${reasonOf(cause)}.`, { cause });
}

/** Libraries wrap it: `fetch failed` says less than what it was caused by. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message;
}
