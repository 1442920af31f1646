import { randomBytes } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto';
import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  type CustomFetch,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  ResponseBodyError,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  type TokenEndpointResponse,
} from 'openid-client';
import { z } from 'zod';
import { sessionEndpoints } from '../../../shared/api/session-endpoints.ts';
import { apiPrefix } from '../../../shared/base/addresses.ts';
import { ProblemError, problem, problemOfField } from '../../../shared/base/problem.ts';
import { type Actor, emailSchema } from '../../../shared/team/team.ts';
import { causeOf, problemOfPeer } from '../../base/text/foreign-errors.ts';
import { askOnce, NoAnswer } from '../../base/wire/ask.ts';
import type { ProviderSignIn } from './team-keys.ts';

type ProviderAddress = {
  issuer: URL;
  clientId: string;
  clientSecret: string;
  /** For each request to the provider: the user who signs in waits for it. */
  patienceS?: number;
  /** How long an answer counts, and a failure. */
  againS?: number;
};

/** Limit of an answer. Metadata and keys of large providers have 2 to 8 kB. */
const mostBytes = 1_000_000;

/**
 * Metadata of the provider. The first sign-in asks, so a provider that is down does not keep the server from starting, and
 * people stay on the sign-in page with the reason. It is asked again after a minute at the earliest, however many sign in: anybody
 * may begin to. The result throws provider_unusable.
 */
function openDiscovery(address: ProviderAddress): () => Promise<Configuration> {
  const againMs = (address.againS ?? 60) * 1000;
  let asked: { at: number; found: Promise<Configuration> } | null = null;
  return () => {
    if (asked === null || performance.now() - asked.at >= againMs) {
      asked = { at: performance.now(), found: discoverProvider(address) };
    }
    return asked.found;
  };
}

async function discoverProvider({
  issuer,
  clientId,
  clientSecret,
  patienceS = 10,
}: ProviderAddress): Promise<Configuration> {
  const found = await discovery(issuer, clientId, {}, authenticate(clientSecret), {
    timeout: patienceS,
    [customFetch]: fetchWithin(patienceS * 1000),
    // Signatures of ID tokens are checked, although they come from the provider itself.
    execute: [enableNonRepudiationChecks, ...(issuer.protocol === 'http:' ? [allowInsecureRequests] : [])],
  }).catch((error: unknown) => {
    throw unusable(issuer, error);
  });
  // The library makes exceptions for a provider that serves many organizations under one address.
  const { issuer: named, authorization_endpoint: entrance = '' } = found.serverMetadata();
  if (URL.parse(named)?.href !== issuer.href) throw unusable(issuer, `calls itself ${named.slice(0, 200)}`);
  const { protocol } = URL.parse(entrance) ?? {};
  if (protocol !== 'https:' && protocol !== issuer.protocol)
    throw unusable(issuer, 'does not say where to sign in');
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

function unusable({ href }: URL, cause: unknown) {
  return problemOfPeer('provider_unusable', `Sign-in failed: ${href}`, cause);
}

/** Like `fetch` without redirects. Reads up to the limit of an answer, and drops the rest. */
function fetchWithin(limitMs: number): CustomFetch {
  return async (address, { method, headers, body }) => {
    const url = new URL(address);
    const isSecure = url.protocol === 'https:';
    const { hostname, port, pathname, search } = url;
    const chunks: Buffer[] = [];
    let bytes = 0;
    const onBody = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > mostBytes) throw new NoAnswer('malformed', `sent more than ${mostBytes / 1e6} MB`);
      chunks.push(chunk);
    };
    const name = hostname.replace(/^\[|\]$/g, '');
    const reply = await askOnce(
      {
        ...{ address: name, port: Number(port) || (isSecure ? 443 : 80), host: url.host },
        tls: isSecure ? { servername: isIP(name) === 0 ? name : '' } : null,
      },
      {
        ...{ method, path: pathname + search, headers: Object.entries(headers) },
        body: body === undefined || body === null ? null : Buffer.from(String(body)),
      },
      { limitMs, onBody },
    );
    const { status } = reply;
    const mayHaveBody = ![101, 204, 205, 304].includes(status);
    const fields = Object.entries(reply.headers).flatMap(([key, value = '']) => [
      [key, value] as [string, string],
    ]);
    const response = new Response(mayHaveBody ? Buffer.concat(chunks) : null, { status, headers: fields });
    // The library compares it with what it asked for.
    return Object.defineProperty(response, 'url', { value: url.href });
  };
}

/**
 * Facts that a browser carries from the first half of a sign-in to the second: encrypted and authenticated, so that no one
 * else can read or make one, and good for one use within ten minutes. The server stores nothing for those who only begin.
 */
type SealedCookie<Facts> = {
  /** The value of a `Set-Cookie` header. */
  seal(facts: Facts): Promise<string>;
  /** Null for none, a forged or an old one, and the second time. */
  open(headers: IncomingHttpHeaders): Promise<Facts | null>;
  /** The value of a `Set-Cookie` header that removes it. */
  readonly removal: string;
};

const lifeMs = 10 * 60_000;

/** @param secure whether people reach the server over HTTPS */
function openSealedCookie<Facts>(
  purpose: string,
  schema: z.ZodType<Facts>,
  { secret, secure }: { secret: string; secure: boolean },
): SealedCookie<Facts> {
  const name = `${secure ? '__Host-' : ''}tls-toll.${purpose}`;
  const attributes = `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  const key = `${purpose} ${secret}`;
  const sealedSchema = z.object({ id: z.string(), until: z.number(), facts: schema });
  /** When they would have ended, by id. */
  const used = new Map<string, number>();

  return {
    async seal(facts) {
      const id = randomBytes(16).toString('base64url');
      const data = JSON.stringify({ id, until: Date.now() + lifeMs, facts });
      return `${name}=${await symmetricEncrypt({ key, data })}; Max-Age=${lifeMs / 1000}; ${attributes}`;
    },
    async open({ cookie = '' }) {
      const text = readCookie(cookie, name);
      if (text === null) return null;
      const data = await symmetricDecrypt({ key, data: text }).catch(() => null);
      if (data === null) return null;
      const parsed = sealedSchema.safeParse(JSON.parse(data));
      // Sealed by another version.
      if (!parsed.success) return null;
      const { id, until, facts } = parsed.data;
      const now = Date.now();
      for (const [each, end] of used) if (end <= now) used.delete(each);
      if (until <= now || used.has(id)) return null;
      used.set(id, until);
      return facts;
    },
    removal: `${name}=; Max-Age=0; ${attributes}`,
  };
}

function readCookie(cookies: string, name: string): string | null {
  const found = cookies.split(/; */).find((each) => each.startsWith(`${name}=`));
  return found?.slice(name.length + 1) ?? null;
}

type Tokens = TokenEndpointResponse & { claims(): { sub: string; email?: unknown } | undefined };

/** Some providers send the text `true`. */
const claimsSchema = z.object({
  email: z.string(),
  email_verified: z
    .union([z.literal(true), z.literal('true')])
    .optional()
    .catch(undefined),
});

/** Only ASCII: if other letters became those of an address in lower case, two people would have one address. */
const ascii = /^[\x21-\x7e]+$/;

/** From the ID token or, where that has none, from the provider's userinfo. Throws email_unverified. */
async function verifiedEmail(provider: Configuration, tokens: Tokens): Promise<string> {
  const identity = tokens.claims();
  if (identity === undefined) throw unusable(new URL(provider.serverMetadata().issuer), 'sent no ID token');
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

/**
 * Sign-in with OpenID Connect: the code flow with PKCE, state, and nonce. All that is learned is an email address that the
 * provider has verified. Nobody becomes a user by it, and no token is kept.
 */

export type ProviderConfig = {
  issuer: URL;
  clientId: string;
  clientSecretFile: string;
  /** Name that people know it by. */
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
      throw explainProvider(error, address.issuer);
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

/** Explains a rejection by the provider, and everything else that may go wrong between two servers. */
function explainProvider(error: unknown, issuer: URL): unknown {
  if (error instanceof ProblemError) return error;
  if (error instanceof AuthorizationResponseError)
    return refused(`The identity provider answered ${error.error.slice(0, 100)}.`, error);
  if (error instanceof ResponseBodyError && error.error === 'invalid_grant')
    return refused('The identity provider does not accept the code that it gave.', error);
  return unusable(issuer, error);
}

/** The one line of a file. Throws invalid_environment if it cannot be read, is empty, or everybody on the machine can read it. */
function readClientSecret(path: string): string {
  const { secret, mode } = readSecretFile(path);
  if (secret === '') throw refuse(`${path} is empty`);
  if ((mode & 0o007) !== 0) throw refuse(`everybody on this machine can read ${path}; run chmod 600 on it`);
  return secret;
}

function readSecretFile(path: string): { secret: string; mode: number } {
  try {
    return { secret: readFileSync(path, 'utf8').trim(), mode: statSync(path).mode };
  } catch (error) {
    throw refuse(`${path} cannot be read: ${causeOf(error) ?? 'the system refuses it'}`);
  }
}

function refuse(message: string) {
  return problemOfField('invalid_environment', 'TLS_TOLL_OIDC_CLIENT_SECRET_FILE', message);
}
