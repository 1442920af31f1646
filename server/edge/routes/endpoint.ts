import type { Request, RequestHandler, Response, Router } from 'express';
import type { Logger } from 'pino';
import { z } from 'zod';
import { type Endpoint, statusOfSuccess } from '../../../shared/api/endpoint.ts';
import { type EndpointName, endpoints } from '../../../shared/api/endpoints.ts';
import type { Limits } from '../../../shared/api/server-endpoints.ts';
import { refusePrivateKeys } from '../../../shared/base/pem.ts';
import { problem, problemOfIssues } from '../../../shared/base/problem.ts';
import type { MachineUse, ProgramUse } from '../../../shared/results/summary.ts';
import type { TargetKind } from '../../../shared/target/target.ts';
import type { Pictures } from '../../base/picture/open-pictures.ts';
import type { GeneratorHosts } from '../../drive/hosts/generator-hosts.ts';
import type { PodsOffer } from '../../drive/hosts/offer-pods.ts';
import type { House } from '../../kinds/apparatus.ts';
import type { Database } from '../../life/database/open-database.ts';
import type { Examples, Results } from '../../life/examples/with-examples.ts';
import type { History } from '../../life/history/open-history.ts';
import type { Measurements } from '../../life/measurement/asked-measurements.ts';
import type { Schedules } from '../../life/measurement/open-schedules.ts';
import type { Audit, Checks, Permits } from '../../life/recording/open-permits.ts';
import type { RecordingControl } from '../../life/recording/recording-control.ts';
import type { Team } from '../team/team-keys.ts';
import { demandAccess, noteCall } from './actor.ts';
import type { Metrics } from './open-metrics.ts';

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

/** Answer of an endpoint that sends a file. */
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

/** Everything that the routes need. */
export type AppParts = {
  measurements: Measurements;
  /** Reads one result, measured here or an example. */
  results: Results;
  examples: Examples<House>;
  schedules: Schedules;
  /** This machine. */
  machine: {
    /** Other use of the machine, sampled while somebody looks. */
    look(): MachineUse;
    /** Programs by their CPU since the looks before. */
    lookAtPrograms(): ProgramUse;
    /** Scatter of server CPU samples in the newest runs on it. */
    sampleDeviations(): Promise<{ target: TargetKind; deviation: number }[]>;
  };
  /** Hosts that have joined with their load generator, and the pods it may create; null where none can join. */
  generatorHosts: (Pick<GeneratorHosts, 'list'> & { pods?: Pick<PodsOffer, 'most'> | null }) | null;
  checks: Checks;
  permits: Permits;
  audit: Audit;
  /** Contains the scenario library. */
  database: Database;
  /** SQL over what was measured. */
  history: History;
  recordings: RecordingControl;
  pictures: Pictures;
  /** Null where nobody asks for them. */
  metrics: Metrics | null;
  /** Null on a server that does not demand sign-in. */
  team: Team | null;
  /** The built client; may be missing. */
  clientDirectory: string;
  /** The page that a result is put into to make one file of both; may be missing. */
  filePage: string;
  /** The name or address that the server listens on. */
  hostname: string;
  /** How many proxies stand in front of the server, each of which adds the address that it was asked from. */
  proxies: number;
  /** The name that people know it by, besides; null for none. */
  publicHost: string | null;
  logger: Logger;
  limits: Limits;
  /** Version of the product. */
  version: string;
};
