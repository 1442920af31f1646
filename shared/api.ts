import { z } from 'zod';
import { presetSchema } from './load-profile.ts';
import { preflightReportSchema } from './preflight.ts';
import { runDocumentSchema, runRequestSchema, runStateSchema, runSummarySchema } from './run.ts';
import { scenarioSchema } from './scenario.ts';
import { permalinkIdSchema } from './units.ts';

/** Every endpoint: the server's routes, the client's calls and the OpenAPI document all read this. */

export const apiPrefix = '/api/v1';

export const healthSchema = z.strictObject({
  status: z.literal('ok'),
  version: z.string(),
  uptimeS: z.number(),
  running: permalinkIdSchema.nullable(),
  queued: z.int(),
});
export type Health = z.infer<typeof healthSchema>;

export const presetCardSchema = z.strictObject({
  preset: presetSchema,
  title: z.string(),
  expectedS: z.number(),
  maximumS: z.number(),
  /** Smallest difference of CPU per transaction it can tell from none, as a ratio, on a shared machine of two cores. */
  detectable: z.number(),
  note: z.string(),
});
export type PresetCard = z.infer<typeof presetCardSchema>;

export const limitsSchema = z.strictObject({
  bodyBytes: z.int(),
  queueLength: z.int(),
  connections: z.int(),
  stepsPerScenario: z.int(),
  requestsPerMinute: z.int(),
  permittedTargets: z.array(z.string()),
  presets: z.array(presetCardSchema),
});
export type Limits = z.infer<typeof limitsSchema>;

export const createdRunSchema = z.strictObject({
  id: permalinkIdSchema,
  url: z.string(),
  eventsUrl: z.string(),
  deleteToken: z.string(),
});
export type CreatedRun = z.infer<typeof createdRunSchema>;

export const runListQuerySchema = z.strictObject({
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(25),
  state: runStateSchema.optional(),
  q: z.string().max(100).optional(),
});
export type RunListQuery = z.infer<typeof runListQuerySchema>;

export const runListSchema = z.strictObject({
  runs: z.array(runSummarySchema),
  nextCursor: z.string().nullable(),
});
export type RunList = z.infer<typeof runListSchema>;

export const cancelRequestSchema = z.strictObject({ keep: z.boolean() });
export const deleteHeadersSchema = z.object({
  /** The delete token of the run. */
  'x-delete-token': z.string().min(1, 'the delete token goes into the X-Delete-Token header'),
});

const preflightRequestSchema = runRequestSchema.pick({
  target: true,
  scenario: true,
  transports: true,
  tls: true,
  connectionPolicy: true,
});
export type PreflightRequest = z.infer<typeof preflightRequestSchema>;

const idParams = z.strictObject({ id: permalinkIdSchema });

export type Endpoint = {
  method: 'get' | 'post' | 'delete';
  /** Below `apiPrefix`, Express style. */
  path: string;
  summary: string;
  params?: z.ZodType;
  query?: z.ZodType;
  headers?: z.ZodType;
  body?: z.ZodType;
  /** Success status and its body; null for no body; 'event-stream' for SSE. */
  status: number;
  response: z.ZodType | null | 'event-stream';
};

export const endpoints = {
  health: {
    method: 'get',
    path: '/health',
    summary: 'Whether the server is up, and what it is doing',
    status: 200,
    response: healthSchema,
  },
  limits: {
    method: 'get',
    path: '/limits',
    summary: 'Limits and presets',
    status: 200,
    response: limitsSchema,
  },
  listScenarios: {
    method: 'get',
    path: '/scenarios',
    summary: 'Scenarios that a run can name',
    status: 200,
    response: z.array(scenarioSchema),
  },
  showScenario: {
    method: 'get',
    path: '/scenarios/:id',
    summary: 'One scenario',
    params: z.strictObject({ id: z.string().max(40) }),
    status: 200,
    response: scenarioSchema,
  },
  preflight: {
    method: 'post',
    path: '/preflight',
    summary: 'Check a target without loading it',
    body: preflightRequestSchema,
    status: 200,
    response: preflightReportSchema,
  },
  createRun: {
    method: 'post',
    path: '/runs',
    summary: 'Queue a run',
    headers: z.object({ 'idempotency-key': z.string().min(1).max(200).optional() }),
    body: runRequestSchema,
    status: 201,
    response: createdRunSchema,
  },
  listRuns: {
    method: 'get',
    path: '/runs',
    summary: 'Runs, newest first',
    query: runListQuerySchema,
    status: 200,
    response: runListSchema,
  },
  showRun: {
    method: 'get',
    path: '/runs/:id',
    summary: 'The document of a run, as at its permalink',
    params: idParams,
    status: 200,
    response: runDocumentSchema,
  },
  runEvents: {
    method: 'get',
    path: '/runs/:id/events',
    summary: 'Progress as server-sent events; Last-Event-ID replays what came after it',
    params: idParams,
    status: 200,
    response: 'event-stream',
  },
  cancelRun: {
    method: 'post',
    path: '/runs/:id/cancel',
    summary: 'Cancel a run, keeping or discarding its blocks',
    params: idParams,
    body: cancelRequestSchema,
    status: 202,
    response: runSummarySchema,
  },
  deleteRun: {
    method: 'delete',
    path: '/runs/:id',
    summary: 'Delete a run; its permalink answers 410 from then on',
    params: idParams,
    headers: deleteHeadersSchema,
    status: 204,
    response: null,
  },
} as const satisfies Record<string, Endpoint>;
export type EndpointName = keyof typeof endpoints;
