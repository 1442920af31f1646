import { z } from 'zod';
import {
  apiPrefix,
  createdRunSchema,
  createRunSchema,
  type Endpoint,
  endpoints,
  healthSchema,
  limitsSchema,
  runListSchema,
} from '../../shared/api.ts';
import { blockSchema } from '../../shared/block.ts';
import { metricComparisonSchema } from '../../shared/comparison.ts';
import { dryRunReportSchema } from '../../shared/dry-run.ts';
import { importReportSchema } from '../../shared/import.ts';
import { labDocumentSchema } from '../../shared/lab-document.ts';
import { preflightReportSchema } from '../../shared/preflight.ts';
import { problemSchema } from '../../shared/problem.ts';
import { runEventSchema } from '../../shared/progress.ts';
import { runDocumentSchema, runSummarySchema } from '../../shared/run.ts';
import { scenarioSchema } from '../../shared/scenario.ts';
import { slotSchema } from '../../shared/slot.ts';
import { revisionSchema, storedScenarioSchema } from '../../shared/stored-scenario.ts';
import { permalinkIdSchema } from '../../shared/units.ts';

/** The OpenAPI 3.1 description, made from the schemas that the routes parse with. */
export function openApi(version: string): object {
  const components = new Components();
  const paths: Record<string, Record<string, object>> = {};
  for (const [name, endpoint] of Object.entries(endpoints)) {
    const path = `${apiPrefix}${endpoint.path}`.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [endpoint.method]: describeEndpoint(name, endpoint, components) };
  }
  paths['/r/{id}'] = { get: describePermalink(components) };
  paths['/l/{id}'] = { get: describeLabLink(components) };
  paths['/s/{id}'] = { get: describeRevisionLink(components) };
  return {
    openapi: '3.1.1',
    info: {
      title: 'TLS Toll',
      version,
      description: 'What does HTTPS cost compared with HTTP? Paired measurements, with evidence.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    paths,
    components: { schemas: components.schemas },
  };
}

type JsonSchema = Record<string, unknown>;

/** Schemas with a name. What a client sends has defaults that what it receives no longer has, so the two are apart. */
const sent = z.registry<{ id: string }>();
sent.add(createRunSchema, { id: 'RunRequest' });
sent.add(scenarioSchema, { id: 'ScenarioInput' });

const received = z.registry<{ id: string }>();
const receivedSchemas = {
  RunDocument: runDocumentSchema,
  RunSummary: runSummarySchema,
  RunList: runListSchema,
  RunEvent: runEventSchema,
  CreatedRun: createdRunSchema,
  Scenario: scenarioSchema,
  StoredScenario: storedScenarioSchema,
  ScenarioRevision: revisionSchema,
  ImportReport: importReportSchema,
  DryRunReport: dryRunReportSchema,
  Block: blockSchema,
  Slot: slotSchema,
  LabDocument: labDocumentSchema,
  MetricComparison: metricComparisonSchema,
  PreflightReport: preflightReportSchema,
  Health: healthSchema,
  Limits: limitsSchema,
  Problem: problemSchema,
};
for (const [id, schema] of Object.entries(receivedSchemas)) received.add(schema, { id });

/** Collects the named schemas as they are met. */
class Components {
  readonly schemas: Record<string, JsonSchema> = {};

  describe(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const metadata = io === 'input' ? sent : received;
    const { $schema, $defs, ...described } = toComponents(z.toJSONSchema(schema, { metadata, io }));
    Object.assign(this.schemas, $defs);
    return described;
  }
}

function toComponents(schema: object): JsonSchema {
  const text = JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/');
  return JSON.parse(text) as JsonSchema;
}

function describeEndpoint(name: string, endpoint: Endpoint, components: Components): object {
  const { summary, params, query, headers, body, status, response } = endpoint;
  return {
    operationId: name,
    summary,
    parameters: [
      ...describeParameters('path', params, components),
      ...describeParameters('query', query, components),
      ...describeParameters('header', headers, components),
      ...(response === 'event-stream' ? [lastEventId] : []),
    ],
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content:
              body === 'bytes'
                ? { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } }
                : { 'application/json': { schema: components.describe(body, 'input') } },
          },
        }),
    responses: { [status]: describeResponse(response, components), default: describeProblem(components) },
  };
}

function describeParameters(
  place: 'path' | 'query' | 'header',
  schema: z.ZodType | undefined,
  components: Components,
): object[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = components.describe(schema, 'input') as {
    properties?: Record<string, object>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
  }));
}

const lastEventId = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  description: 'Id of the last event received; the query parameter lastEventId does the same.',
  schema: { type: 'integer', minimum: 0 },
};

function describeResponse(response: Endpoint['response'], components: Components): object {
  if (response === null) return { description: 'Done' };
  if (response === 'text') {
    return { description: 'A file', content: { 'text/plain': { schema: { type: 'string' } } } };
  }
  if (response !== 'event-stream') {
    return {
      description: 'Success',
      content: { 'application/json': { schema: components.describe(response, 'output') } },
    };
  }
  components.describe(runEventSchema, 'output');
  return {
    description:
      'A stream of events, each with an integer id, named after its type, with a RunEvent as JSON data; the last is `end`',
    content: { 'text/event-stream': { schema: { type: 'string' } } },
  };
}

function describeProblem(components: Components): object {
  return {
    description: 'A problem (RFC 9457)',
    content: { 'application/problem+json': { schema: components.describe(problemSchema, 'output') } },
  };
}

function describePermalink(components: Components): object {
  return {
    operationId: 'permalink',
    summary:
      'A run: as a page, or its document by Accept; /r/{id}.json, .csv and .md are the same documents by suffix',
    parameters: [
      { name: 'id', in: 'path', required: true, schema: components.describe(permalinkIdSchema, 'input') },
    ],
    responses: {
      200: {
        description: 'The run',
        content: {
          'text/html': { schema: { type: 'string' } },
          'application/json': { schema: components.describe(runDocumentSchema, 'output') },
          'text/csv': { schema: { type: 'string' } },
          'text/markdown': { schema: { type: 'string' } },
        },
      },
      304: { description: 'Not changed since the ETag given by If-None-Match' },
      default: describeProblem(components),
    },
  };
}

function describeLabLink(components: Components): object {
  return {
    operationId: 'labPermalink',
    summary:
      'A measurement of the TLS lab: as a page, or its document by Accept; /l/{id}.json, .csv and .md by suffix',
    parameters: [
      { name: 'id', in: 'path', required: true, schema: components.describe(permalinkIdSchema, 'input') },
    ],
    responses: {
      200: {
        description: 'The measurement',
        content: {
          'text/html': { schema: { type: 'string' } },
          'application/json': { schema: components.describe(labDocumentSchema, 'output') },
          'text/csv': { schema: { type: 'string' } },
          'text/markdown': { schema: { type: 'string' } },
        },
      },
      304: { description: 'Not changed since the ETag given by If-None-Match' },
      default: describeProblem(components),
    },
  };
}

function describeRevisionLink(components: Components): object {
  return {
    operationId: 'revisionPermalink',
    summary:
      'A revision of a scenario, which never changes: as a page, or by Accept; /s/{id}.json is the same by suffix',
    parameters: [
      { name: 'id', in: 'path', required: true, schema: components.describe(permalinkIdSchema, 'input') },
    ],
    responses: {
      200: {
        description: 'The revision',
        content: {
          'text/html': { schema: { type: 'string' } },
          'application/json': { schema: components.describe(revisionSchema, 'output') },
        },
      },
      default: describeProblem(components),
    },
  };
}
