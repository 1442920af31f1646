import type { Request, RequestHandler, Response, Router } from 'express';
import { z } from 'zod';
import { type Endpoint, statusOfSuccess } from '../../../shared/api/endpoint.ts';
import { type EndpointName, endpoints } from '../../../shared/api/endpoints.ts';
import { refusePrivateKeys } from '../../../shared/base/pem.ts';
import { problem, problemOfIssues } from '../../../shared/base/problem.ts';
import { demandAccess } from '../middleware/actor.ts';
import { noteCall } from '../middleware/audit.ts';

/**
 * Routes are mounted from `shared/api/endpoints.ts` alone: its method, path, schemas and status. A handler gets what the schemas
 * made of the request, and returns what the schema of the response demands.
 */

type Part = 'params' | 'query' | 'headers' | 'body';
type Parsed<Name extends EndpointName, Key extends Part> = (typeof endpoints)[Name] extends {
  [key in Key]: z.ZodType<infer Output>;
}
  ? Output
  : undefined;

type Call<Name extends EndpointName> = { [Key in Part]: Parsed<Name, Key> };

/** What an endpoint that answers with a file returns. */
export type TextFile = { text: string; mediaType: string; fileName: string };

type Answer<Name extends EndpointName> =
  (typeof endpoints)[Name]['response'] extends z.ZodType<infer Output> ? Output : null;

/** Answers with JSON and the endpoint's status. */
export function serve<Name extends EndpointName>(
  router: Router,
  name: Name,
  answer: (call: Call<Name>, response: Response) => Answer<Name> | Promise<Answer<Name>>,
): void {
  serveRaw(router, name, async (call, _request, response) => {
    const body = await answer(call, response);
    const endpoint: Endpoint = endpoints[name];
    if (endpoint.act !== undefined) await noteCall(response, name, call, body);
    response.status(statusOfSuccess(endpoint)).set('Cache-Control', 'no-store');
    if (body === null) response.end();
    else response.json(body);
  });
}

/** Answers with a text that a browser saves under its name. */
export function serveFile<Name extends EndpointName>(
  router: Router,
  name: Name,
  answer: (call: Call<Name>) => Promise<TextFile>,
): void {
  serveRaw(router, name, async (call, _request, response) => {
    const { text, mediaType, fileName } = await answer(call);
    response
      .set('Cache-Control', 'no-store')
      .attachment(fileName)
      .set('Content-Type', `${mediaType}; charset=utf-8`)
      .send(text);
  });
}

/** The handler writes the response itself. */
export function serveRaw<Name extends EndpointName>(
  router: Router,
  name: Name,
  handler: (call: Call<Name>, request: Request, response: Response) => void | Promise<void>,
): void {
  const { method, path, access } = endpoints[name];
  router[method](path, (request, response) => {
    demandAccess(access, request, response);
    return handler(parseCall(name, request), request, response);
  });
}

/** After all endpoints: what is at their paths, but by another method. */
export function refuseOtherMethods(router: Router): void {
  for (const path of new Set(Object.values(endpoints).map((endpoint) => endpoint.path))) {
    router.all(path, refuseMethod(methodsAt(path)));
  }
}

export function refuseMethod(allowed: string[]): RequestHandler {
  return (request, response, next) => {
    response.set('Allow', allowed.join(', '));
    next(problem('method_not_allowed', `Use ${allowed.join(', ')} instead of ${request.method}.`));
  };
}

function methodsAt(path: string): string[] {
  const methods = Object.values(endpoints)
    .filter((endpoint) => endpoint.path === path)
    .map((endpoint) => endpoint.method.toUpperCase());
  return methods.includes('GET') ? ['GET', 'HEAD', ...methods.filter((method) => method !== 'GET')] : methods;
}

const subjects: Record<Part, string> = {
  params: 'The address',
  query: 'The query',
  headers: 'The headers',
  body: 'The body',
};

function parseCall<Name extends EndpointName>(name: Name, request: Request): Call<Name> {
  const endpoint: Endpoint = endpoints[name];
  const call: Partial<Record<Part, unknown>> = {};
  for (const part of ['params', 'query', 'headers', 'body'] as const) {
    const schema = endpoint[part];
    if (schema === undefined || schema === 'bytes') continue;
    const parsed = (part === 'body' ? keyless(schema, endpoint) : schema).safeParse(request[part]);
    if (!parsed.success) throw problemOfIssues('invalid_request', parsed.error, subjects[part]);
    call[part] = parsed.data;
  }
  return call as Call<Name>;
}

/**
 * Keeps private keys out of everything that is stored. Requests open to every reader without an audit entry are not stored, so they are
 * not checked. A loose body is checked by its kind, after reducing it to certificates.
 */
function keyless(schema: z.ZodType, { act, access }: Endpoint): z.ZodType {
  const isStored = act !== undefined || access === 'operator' || access === 'admin';
  const isLoose = schema instanceof z.ZodObject && schema.def.catchall instanceof z.ZodUnknown;
  return isStored && !isLoose
    ? schema.superRefine((body, context) => refusePrivateKeys(body as object, context))
    : schema;
}
