import { z } from 'zod';
import { attributionSchema } from '../attribution.ts';
import { createdMeasurementSchema } from '../measurement.ts';
import { summaries } from '../measurement-summary.ts';
import { metricIdSchema } from '../metric-schema.ts';
import { runDocumentSchema } from '../run.ts';
import { seriesSchema } from '../series.ts';
import { permalinkIdSchema } from '../units.ts';
import {
  anyRequestSchema,
  cancelRequestSchema,
  createHeaders,
  deleteHeadersSchema,
  deleteQuerySchema,
  type Endpoint,
  idParams,
  listQuerySchema,
  pageOf,
} from './endpoint.ts';

/** Runs: earlier addresses of measurements of the kind comparison, and what only runs have. */

export const runListSchema = pageOf('runs', summaries.comparison);

export const runEndpoints = {
  createRun: {
    method: 'post',
    path: '/runs',
    access: 'operator',
    act: 'Started a measurement',
    summary: 'Queue a run: a measurement of the kind comparison',
    headers: createHeaders,
    body: anyRequestSchema,
    status: 201,
    response: createdMeasurementSchema,
  },
  listRuns: {
    method: 'get',
    path: '/runs',
    access: 'reader',
    summary: 'Runs, newest first',
    query: listQuerySchema,
    status: 200,
    response: runListSchema,
  },
  showRun: {
    method: 'get',
    path: '/runs/:id',
    access: 'link',
    summary: 'As /measurements/{id}',
    params: idParams,
    status: 200,
    response: runDocumentSchema,
  },
  runEvents: {
    method: 'get',
    path: '/runs/:id/events',
    access: 'link',
    summary: 'As /measurements/{id}/events',
    params: idParams,
    status: 200,
    response: 'event-stream',
  },
  cancelRun: {
    method: 'post',
    path: '/runs/:id/cancel',
    access: 'operator',
    act: 'Canceled a measurement',
    summary: 'As /measurements/{id}/cancel',
    params: idParams,
    body: cancelRequestSchema,
    status: 202,
    response: summaries.comparison,
  },
  deleteRun: {
    method: 'delete',
    path: '/runs/:id',
    access: 'operator',
    act: 'Deleted a result',
    summary: 'As /measurements/{id}',
    params: idParams,
    query: deleteQuerySchema,
    headers: deleteHeadersSchema,
    status: 204,
    response: null,
  },
  showSeries: {
    method: 'get',
    path: '/runs/:id/series',
    access: 'reader',
    summary: 'What became of a metric over the runs with the same target, scenario and plan, and its steps',
    params: idParams,
    query: z.strictObject({ metric: metricIdSchema.default('cpu_at_load') }),
    status: 200,
    response: seriesSchema,
  },
  pinBaseline: {
    method: 'put',
    path: '/runs/:id/baseline',
    access: 'operator',
    act: 'Pinned a baseline',
    summary: 'Pin a run as the baseline of its series, in place of the one before',
    params: idParams,
    status: 204,
    response: null,
  },
  unpinBaseline: {
    method: 'delete',
    path: '/runs/:id/baseline',
    access: 'operator',
    act: 'Unpinned a baseline',
    summary: 'Unpin the baseline of a series',
    params: idParams,
    status: 204,
    response: null,
  },
  showConfiguration: {
    method: 'get',
    path: '/runs/:id/configuration',
    access: 'link',
    summary: 'Configuration of a started server, for every listener',
    params: idParams,
    status: 200,
    response: 'text',
  },
  measureParts: {
    method: 'post',
    path: '/runs/:id/attribution',
    access: 'operator',
    act: 'Started a measurement',
    summary: 'Queue the lab measurement of what the handshakes and bytes of a run cost',
    params: idParams,
    status: 201,
    response: createdMeasurementSchema,
  },
  showAttribution: {
    method: 'get',
    path: '/runs/:id/attribution',
    access: 'link',
    summary: 'The CPU that HTTPS adds in a run, split by a lab measurement',
    params: idParams,
    query: z.strictObject({ lab: permalinkIdSchema }),
    status: 200,
    response: attributionSchema,
  },
} as const satisfies Record<string, Endpoint>;
