import type { z } from 'zod';
import type { Endpoint } from '../../shared/api/endpoint.ts';
import { apiPrefix } from '../../shared/api/prefix.ts';
import { ProblemError } from '../../shared/base/problem.ts';
import { UnreachableError } from './unreachable-error.ts';

type Answer<Called extends Endpoint> = Called['response'] extends z.ZodType<infer Output> ? Output : null;

type Call = {
  params?: Record<string, string>;
  query?: Record<string, string | undefined>;
  headers?: Record<string, string>;
  /** A value that is sent as JSON, or the content of a file. */
  body?: unknown;
  signal?: AbortSignal;
};

/**
 * Calls an endpoint and parses its answer. Throws the server's ProblemError, or UnreachableError when nobody answered.
 */
export async function callEndpoint<Called extends Endpoint>(
  endpoint: Called,
  call: Call = {},
): Promise<Answer<Called>> {
  const response = await send(endpoint, call);
  if (!response.ok) throw await readProblem(response);
  if (endpoint.response === null || typeof endpoint.response === 'string') return null as Answer<Called>;
  return endpoint.response.parse(await response.json()) as Answer<Called>;
}

/** The address of an endpoint on this server. */
export function addressOf(endpoint: Endpoint, call: Pick<Call, 'params' | 'query'> = {}): string {
  const path = endpoint.path.replace(/:(\w+)/g, (_, key: string) =>
    encodeURIComponent(call.params?.[key] ?? ''),
  );
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(call.query ?? {})) {
    if (value !== undefined && value !== '') query.set(key, value);
  }
  return `${apiPrefix}${path}${query.size === 0 ? '' : `?${query}`}`;
}

async function send(endpoint: Endpoint, call: Call): Promise<Response> {
  try {
    return await fetch(addressOf(endpoint, call), {
      method: endpoint.method.toUpperCase(),
      headers: {
        accept: 'application/json',
        ...(call.body === undefined ? {} : { 'content-type': typeOf(call.body) }),
        ...call.headers,
      },
      ...(call.body === undefined
        ? {}
        : { body: call.body instanceof Blob ? call.body : JSON.stringify(call.body) }),
      ...(call.signal === undefined ? {} : { signal: call.signal }),
    });
  } catch (error) {
    if (call.signal?.aborted) throw error;
    throw new UnreachableError({ cause: error });
  }
}

function typeOf(body: unknown): string {
  return body instanceof Blob ? 'application/octet-stream' : 'application/json';
}

async function readProblem(response: Response): Promise<Error> {
  // It came with the schema of the endpoint.
  const schemas = await import('../../shared/base/problem-schema.ts').catch(() => null);
  const parsed = schemas?.problemSchema.safeParse(await response.json().catch(() => null));
  if (!parsed?.success) return new UnreachableError({ cause: new Error(`status ${response.status}`) });
  const { code, detail, errors, retryAfterS } = parsed.data;
  return new ProblemError(code, {
    detail,
    ...(errors === undefined ? {} : { errors }),
    ...(retryAfterS === undefined ? {} : { retryAfterS }),
  });
}
