import { z } from 'zod';
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponseObject,
} from 'zod-openapi';
import { type Endpoint, statusOfSuccess, templateOf } from '../../../shared/api/endpoint.ts';
import { type EndpointName, endpoints } from '../../../shared/api/endpoints.ts';
import { measurementListSchema } from '../../../shared/api/measurement-endpoints.ts';
import { healthSchema, limitsSchema } from '../../../shared/api/server-endpoints.ts';
import { problemSchema } from '../../../shared/base/problem-schema.ts';
import { permalinkIdSchema } from '../../../shared/base/units.ts';
import { blockSchema, runEventSchema } from '../../../shared/kinds/comparison/block.ts';
import { metricComparisonSchema } from '../../../shared/kinds/comparison/comparison.ts';
import { resultChangesSchema, resultPairSchema } from '../../../shared/kinds/comparison/result-changes.ts';
import { runDocumentSchema } from '../../../shared/kinds/comparison/run.ts';
import { besideRequest } from '../../../shared/kinds/comparison/run-request.ts';
import { slotSchema } from '../../../shared/kinds/comparison/slot.ts';
import { cellSideSchema } from '../../../shared/kinds/servers/servers-result.ts';
import { createdMeasurementSchema } from '../../../shared/measurement/measurement.ts';
import {
  measurementDocumentSchema,
  measurementEventSchema,
  unionOfKinds,
} from '../../../shared/results/kinds.ts';
import { measurementSummarySchema, runSummarySchema } from '../../../shared/results/summary.ts';
import { browserActionSchema } from '../../../shared/scenario/browser-actions.ts';
import { importReportSchema } from '../../../shared/scenario/import.ts';
import { locatorSchema, textMatchSchema } from '../../../shared/scenario/locator.ts';
import { scenarioSchema } from '../../../shared/scenario/scenario.ts';
import { revisionSchema, storedScenarioSchema } from '../../../shared/scenario/stored-scenario.ts';
import { dryRunReportSchema } from '../../../shared/target/dry-run.ts';
import { preflightReportSchema } from '../../../shared/target/preflight.ts';
import { targetRequestSchema } from '../../../shared/target/target.ts';

/** The OpenAPI 3.1 description, made from the schemas that the routes parse with. */
export function openApi(version: string): object {
  const paths: ZodOpenApiPathsObject = {};
  for (const [name, endpoint] of Object.entries(endpoints)) {
    const path = templateOf(endpoint);
    paths[path] = { ...paths[path], [endpoint.method]: describeEndpoint(name, endpoint) };
  }
  return createDocument({
    openapi: '3.1.1',
    info: {
      title: 'TLS Toll',
      version,
      description: 'What does HTTPS cost compared with HTTP? Paired measurements, with evidence.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    paths: { ...paths, ...permalinks },
    components: { schemas: namedSchemas },
  });
}

/** Input schemas have defaults that output schemas lack. Inlining each use would take 4 MB for the actions alone. */
z.globalRegistry.add(scenarioSchema, { id: 'ScenarioInput', outputId: 'Scenario' });
z.globalRegistry.add(measurementDocumentSchema, { id: 'MeasurementDocument' });
z.globalRegistry.add(browserActionSchema, { id: 'BrowserActionInput', outputId: 'BrowserAction' });
z.globalRegistry.add(locatorSchema, { id: 'LocatorInput', outputId: 'Locator' });
z.globalRegistry.add(textMatchSchema, { id: 'TextMatchInput', outputId: 'TextMatch' });
z.globalRegistry.add(targetRequestSchema, {
  description: 'Also taken: "storefront", and two origins without a kind.',
});

/** Body that queues a measurement. */
const measurementRequestSchema = unionOfKinds(({ request }) =>
  (request as z.ZodObject).extend(besideRequest),
);

const namedSchemas = {
  RunDocument: runDocumentSchema,
  RunSummary: runSummarySchema,
  RunEvent: runEventSchema,
  CreatedMeasurement: createdMeasurementSchema,
  MeasurementRequest: measurementRequestSchema,
  MeasurementSummary: measurementSummarySchema,
  MeasurementList: measurementListSchema,
  MeasurementEvent: measurementEventSchema,
  StoredScenario: storedScenarioSchema,
  ScenarioRevision: revisionSchema,
  ImportReport: importReportSchema,
  DryRunReport: dryRunReportSchema,
  Block: blockSchema,
  Slot: slotSchema,
  MetricComparison: metricComparisonSchema,
  PreflightReport: preflightReportSchema,
  Health: healthSchema,
  Limits: limitsSchema,
  Problem: problemSchema,
};

/** Schemas of bodies that the endpoint passes on unparsed, because their kind parses them. */
const unjudged: Record<string, z.ZodType> = {
  createMeasurement: measurementRequestSchema,
} satisfies Partial<Record<EndpointName, z.ZodType>>;

const problemResponse: ZodOpenApiResponseObject = {
  description: 'A problem (RFC 9457)',
  content: { 'application/problem+json': { schema: problemSchema } },
};

function describeEndpoint(name: string, endpoint: Endpoint): ZodOpenApiOperationObject {
  const { summary, params, query, headers, response } = endpoint;
  const body = unjudged[name] ?? endpoint.body;
  return {
    operationId: name,
    summary,
    requestParams: {
      ...(params && { path: params }),
      ...(query && { query }),
      ...(headers && { header: headers }),
    },
    parameters: response === 'event-stream' ? [lastEventId] : [],
    ...(body !== undefined && {
      requestBody: {
        required: true,
        content:
          body === 'bytes'
            ? { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } }
            : { 'application/json': { schema: body } },
      },
    }),
    responses: { [`${statusOfSuccess(endpoint)}`]: describeResponse(response), default: problemResponse },
  };
}

const lastEventId = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  description: 'Id of the last event received; the query parameter lastEventId does the same.',
  schema: { type: 'integer', minimum: 0 },
} as const;

function describeResponse(response: Endpoint['response']): ZodOpenApiResponseObject {
  if (response === null) return { description: 'Done' };
  if (response === 'text') {
    return { description: 'A file', content: { 'text/plain': { schema: { type: 'string' } } } };
  }
  if (response === 'event-stream') {
    return {
      description:
        'A stream of events, each with an integer id, named after its type, with a MeasurementEvent as JSON data; the last is `end`',
      content: { 'text/event-stream': { schema: { type: 'string' } } },
    };
  }
  return { description: 'Success', content: { 'application/json': { schema: response } } };
}

const cellParams = z.object({ id: permalinkIdSchema, cell: z.string() });
const describePage = {
  description: 'A page',
  content: { 'text/html': { schema: { type: 'string' } } },
} as const;

const tables = ['text/csv', 'application/jsonl', 'application/vnd.apache.parquet', 'text/markdown'];

const permalinks: ZodOpenApiPathsObject = {
  '/r/{id}': describePermalink(
    'permalink',
    'A comparison, sizes or servers: as a page, or its document by Accept; /r/{id}.json, .csv, .jsonl, .parquet and .md are the same documents by suffix',
    measurementDocumentSchema,
    tables,
  ),
  '/l/{id}': describePermalink(
    'labPermalink',
    'Any other kind of measurement: as a page, or its document by Accept; /l/{id}.json, .csv, .jsonl, .parquet and .md by suffix; of an explanation .folded and .speedscope.json too',
    measurementDocumentSchema,
    tables,
  ),
  '/r/{id}/cells/{cell}': {
    get: {
      operationId: 'cellPermalink',
      summary: 'A cell of a sweep over servers as a page; /r/{id}/cells/{cell}.json is its document',
      requestParams: { path: cellParams },
      responses: { 200: describePage, default: problemResponse },
    },
  },
  '/r/{id}/cells/{cell}/{side}.ab.txt': {
    get: {
      operationId: 'cellReport',
      summary:
        'One side of a cell as ApacheBench would have printed it: the round with the median rate, or another',
      requestParams: {
        path: cellParams.extend({ side: cellSideSchema }),
        query: z.object({ round: z.int().min(1).optional() }),
      },
      responses: { 200: describeResponse('text'), default: problemResponse },
    },
  },
  '/s/{id}': describePermalink(
    'revisionPermalink',
    'A revision of a scenario, which never changes: as a page, or by Accept; /s/{id}.json is the same by suffix',
    revisionSchema,
    [],
  ),
  '/c/{pair}': describePermalink(
    'changesPermalink',
    'What changed between two runs, whose IDs have two dots between them: as a page, or by Accept; /c/{pair}.json and .md by suffix. Two sweeps lead to a page of their own',
    resultChangesSchema,
    ['text/markdown'],
    z.object({ pair: resultPairSchema }),
  ),
};

function describePermalink(
  operationId: string,
  summary: string,
  document: z.ZodType,
  reports: string[],
  path: z.ZodObject = z.object({ id: permalinkIdSchema }),
) {
  const texts = ['text/html', ...reports].map((type) => [type, { schema: { type: 'string' } }]);
  return {
    get: {
      operationId,
      summary,
      requestParams: { path },
      responses: {
        200: {
          description: 'The document',
          content: { 'application/json': { schema: document }, ...Object.fromEntries(texts) },
        },
        304: { description: 'Not changed since the ETag given by If-None-Match' },
        default: problemResponse,
      },
    },
  };
}
