import { z } from 'zod';
import { annotationChangeSchema, annotationSchema, listChoicesSchema } from '../measurement/annotation.ts';
import { createdMeasurementSchema, kindNameSchema } from '../measurement/measurement.ts';
import { measurementSummarySchema } from '../results/summary.ts';
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

/** Measurements of any kind, without what they leave behind. */

export const measurementListQuerySchema = listQuerySchema.extend({ kind: kindNameSchema.optional() });

export const measurementListSchema = pageOf('measurements', measurementSummarySchema);
export type MeasurementList = z.infer<typeof measurementListSchema>;

export const measurementEndpoints = {
  createMeasurement: {
    method: 'post',
    path: '/measurements',
    access: 'operator',
    act: 'Started a run',
    summary: 'Queue a measurement of any kind',
    headers: createHeaders,
    body: anyRequestSchema.extend({ kind: z.string() }),
    status: 201,
    response: createdMeasurementSchema,
  },
  listMeasurements: {
    method: 'get',
    path: '/measurements',
    access: 'reader',
    summary: 'Measurements, newest first',
    query: measurementListQuerySchema,
    response: measurementListSchema,
  },
  measurementEvents: {
    method: 'get',
    path: '/measurements/:id/events',
    access: 'link',
    summary: 'Progress as server-sent events; Last-Event-ID replays what you missed',
    params: idParams,
    response: 'event-stream',
  },
  cancelMeasurement: {
    method: 'post',
    path: '/measurements/:id/cancel',
    access: 'operator',
    act: 'Canceled a run',
    summary: 'Cancel a measurement, keeping or discarding what was measured',
    params: idParams,
    body: cancelRequestSchema,
    status: 202,
    response: measurementSummarySchema,
  },
  resumeMeasurement: {
    method: 'post',
    path: '/measurements/:id/resume',
    access: 'operator',
    act: 'Resumed a run',
    summary: 'Resume a sweep that ended early',
    params: idParams,
    status: 202,
    response: measurementSummarySchema,
  },
  deleteMeasurement: {
    method: 'delete',
    path: '/measurements/:id',
    access: 'operator',
    act: 'Deleted a result',
    summary:
      'Move a measurement to the bin for 30 days, or delete it for good; its permalink then answers 410',
    params: idParams,
    query: deleteQuerySchema,
    headers: deleteHeadersSchema,
    response: null,
  },
  restoreMeasurement: {
    method: 'post',
    path: '/measurements/:id/restore',
    access: 'operator',
    act: 'Restored a result',
    summary: 'Restore a measurement from the bin',
    params: idParams,
    headers: deleteHeadersSchema,
    response: measurementSummarySchema,
  },
  showAnnotation: {
    method: 'get',
    path: '/measurements/:id/annotation',
    access: 'link',
    summary: 'Title, note and tags of a measurement',
    params: idParams,
    response: annotationSchema,
  },
  changeAnnotation: {
    method: 'patch',
    path: '/measurements/:id',
    access: 'operator',
    act: 'Changed the title, note, or tags',
    summary: 'Change title, note or tags of a measurement; its document stays as it is',
    params: idParams,
    body: annotationChangeSchema,
    response: annotationSchema,
  },
  listChoices: {
    method: 'get',
    path: '/filters',
    access: 'reader',
    summary: 'Targets and tags that the list of measurements can be filtered by',
    response: listChoicesSchema,
  },
} as const satisfies Record<string, Endpoint>;
