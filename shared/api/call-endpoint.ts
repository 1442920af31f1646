import type { z } from 'zod';
import { apiPrefix } from '../base/addresses.ts';
import { problemTold } from '../base/problem.ts';
import type { Endpoint } from './endpoint.ts';

/** The client of the API, for the browser and the command line: each lends it the way to send, which is all that differs. */

export type Answer<Called extends Endpoint> =
  Called['response'] extends z.ZodType<infer Output> ? Output : null;

type Body<Called extends Endpoint> = Called['body'] extends z.ZodType ? z.input<Called['body']> : unknown;

export type Call<Called extends Endpoint = Endpoint> = {
  params?: Record<string, string>;
  query?: Record<string, string | undefined>;
  headers?: Record<string, string>;
  /** A value that is sent as JSON, or the content of a file. */
  body?: Body<Called>;
  signal?: AbortSignal;
};

export type Way = {
  /** Throws what nobody answered with. */
  send(address: string, request: RequestInit): Promise<Response>;
  /** Error for an answer that is not a problem of this product. */
  unknownAnswer(response: Response): Error;
};

/** Calls an endpoint and parses its answer. Throws the problem of the server, and whatever the way throws. */
export async function callEndpointBy<Called extends Endpoint>(
  way: Way,
  endpoint: Called,
  call: Call<Called>,
): Promise<Answer<Called>> {
  const response = await sendBy(way, endpoint, call);
  if (endpoint.response === null || typeof endpoint.response === 'string') return null as Answer<Called>;
  return endpoint.response.parse(await response.json()) as Answer<Called>;
}

/** The same for an answer that is a file or a stream. */
export async function sendBy<Called extends Endpoint>(
  way: Way,
  endpoint: Called,
  { params, query, body, headers, signal }: Call<Called>,
): Promise<Response> {
  const response = await way.send(addressOf(endpoint, { params, query }), {
    method: endpoint.method.toUpperCase(),
    headers: {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': typeOf(body) }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: body instanceof Blob ? body : JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  });
  if (!response.ok) throw await readProblem(way, response);
  return response;
}

/** The address of an endpoint, without its origin. */
export function addressOf(
  endpoint: Endpoint,
  {
    params = {},
    query = {},
  }: { params?: Call['params'] | undefined; query?: Call['query'] | undefined } = {},
): string {
  const path = endpoint.path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(params[key] ?? ''));
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') search.set(key, value);
  }
  return `${apiPrefix}${path}${search.size === 0 ? '' : `?${search}`}`;
}

function typeOf(body: unknown): string {
  return body instanceof Blob ? 'application/octet-stream' : 'application/json';
}

/** The problem that an answer holds. */
export async function readProblem(way: Way, response: Response): Promise<Error> {
  // A browser has it already: it came with the schema of the endpoint.
  const schemas = await import('../base/problem-schema.ts').catch(() => null);
  const parsed = schemas?.problemSchema.safeParse(await response.json().catch(() => null));
  if (!parsed?.success) return way.unknownAnswer(response);
  return problemTold(parsed.data);
}
