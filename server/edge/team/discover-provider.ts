import { isIP } from 'node:net';
import {
  allowInsecureRequests,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  type CustomFetch,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
} from 'openid-client';
import { problem } from '../../../shared/base/problem.ts';
import { reasonOf } from '../../base/text/foreign-errors.ts';
import { askOnce, NoAnswer } from '../../base/wire/ask.ts';

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
export function openDiscovery(address: ProviderAddress): () => Promise<Configuration> {
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

export function unusable({ href }: URL, cause: unknown) {
  return problem('provider_unusable', `Sign-in failed: ${href} ${reasonOf(cause)}.`, { cause });
}

/** As `fetch` without redirects. Reads no more than the limit of an answer; the rest is not waited for. */
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
