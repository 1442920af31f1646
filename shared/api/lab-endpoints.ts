import { z } from 'zod';
import { labDocumentSchema } from '../lab-document.ts';
import { createdMeasurementSchema } from '../measurement.ts';
import { summaries } from '../measurement-summary.ts';
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

/** The lab: earlier addresses of measurements of its kinds. */

const labSummarySchema = z.discriminatedUnion('kind', [
  summaries.handshakes,
  summaries.primitives,
  summaries.journey,
]);
export const labListSchema = pageOf('labs', labSummarySchema);

export const labEndpoints = {
  createLab: {
    method: 'post',
    path: '/lab',
    access: 'operator',
    act: 'Started a measurement',
    summary: 'Queue a lab measurement: handshakes, primitives or a journey',
    headers: createHeaders,
    body: anyRequestSchema.extend({ kind: z.string() }),
    status: 201,
    response: createdMeasurementSchema,
  },
  listLabs: {
    method: 'get',
    path: '/lab',
    access: 'reader',
    summary: 'Lab measurements, newest first',
    query: listQuerySchema.pick({ cursor: true, limit: true }),
    status: 200,
    response: labListSchema,
  },
  showLab: {
    method: 'get',
    path: '/lab/:id',
    access: 'link',
    summary: 'As /measurements/{id}',
    params: idParams,
    status: 200,
    response: labDocumentSchema,
  },
  labEvents: {
    method: 'get',
    path: '/lab/:id/events',
    access: 'link',
    summary: 'As /measurements/{id}/events',
    params: idParams,
    status: 200,
    response: 'event-stream',
  },
  cancelLab: {
    method: 'post',
    path: '/lab/:id/cancel',
    access: 'operator',
    act: 'Canceled a measurement',
    summary: 'As /measurements/{id}/cancel',
    params: idParams,
    body: cancelRequestSchema,
    status: 202,
    response: labSummarySchema,
  },
  deleteLab: {
    method: 'delete',
    path: '/lab/:id',
    access: 'operator',
    act: 'Deleted a result',
    summary: 'As /measurements/{id}',
    params: idParams,
    query: deleteQuerySchema,
    headers: deleteHeadersSchema,
    status: 204,
    response: null,
  },
} as const satisfies Record<string, Endpoint>;
