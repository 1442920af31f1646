import { z } from 'zod';
import { permalinkIdSchema } from '../base/units.ts';
import { annotationChangeSchema, annotationSchema, listChoicesSchema } from '../measurement/annotation.ts';
import { createdMeasurementSchema, kindNameSchema } from '../measurement/measurement.ts';
import {
  binActionSchema,
  binListSchema,
  binOutcomeSchema,
  createdScheduleSchema,
  newScheduleSchema,
  scheduleChangeSchema,
  scheduleListSchema,
  scheduleSchema,
} from '../results/schedule.ts';
import { measurementSummarySchema } from '../results/summary.ts';
import {
  allowRequestSchema,
  permittedTargetSchema,
  permittedTargetsSchema,
  stoppedSchema,
} from '../target/target.ts';
import { auditEventSchema } from '../team/audit.ts';
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
} from './target-endpoints.ts';

/** Measurements of any kind, without what they leave behind. */

export const measurementListQuerySchema = listQuerySchema.extend({ kind: kindNameSchema.optional() });

export const measurementListSchema = pageOf('measurements', measurementSummarySchema);
export type MeasurementList = z.infer<typeof measurementListSchema>;

export const measurementEndpoints = {
  createMeasurement: {
    method: 'post',
    path: '/measurements',
    access: 'operator',
    act: 'Started a measurement',
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
    act: 'Canceled a measurement',
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
    act: 'Resumed a measurement',
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

/** Measurements that are repeated. */

export const scheduleEndpoints = {
  listSchedules: {
    method: 'get',
    path: '/schedules',
    access: 'reader',
    summary: 'Measurements that are repeated, the next one first',
    /** Those that repeat the request of a measurement. */
    query: z.strictObject({ of: permalinkIdSchema.optional() }),
    response: scheduleListSchema,
  },
  createSchedule: {
    method: 'post',
    path: '/schedules',
    access: 'operator',
    act: 'Added a schedule',
    summary: 'Repeat a measurement every hour, night or week',
    body: newScheduleSchema,
    status: 201,
    response: createdScheduleSchema,
  },
  changeSchedule: {
    method: 'patch',
    path: '/schedules/:id',
    access: 'operator',
    act: 'Changed a schedule',
    summary: 'Pause a schedule, or turn it on again',
    params: idParams,
    body: scheduleChangeSchema,
    response: scheduleSchema,
  },
  deleteSchedule: {
    method: 'delete',
    path: '/schedules/:id',
    access: 'operator',
    act: 'Deleted a schedule',
    summary: 'Delete a schedule; what it measured stays',
    params: idParams,
    response: null,
  },
} as const satisfies Record<string, Endpoint>;

/** Results that were deleted, and those that are deleted together. */

export const binEndpoints = {
  listBin: {
    method: 'get',
    path: '/bin',
    access: 'reader',
    summary: 'Measurements in the bin, most recently deleted first',
    query: listQuerySchema.pick({ cursor: true, limit: true }),
    response: binListSchema,
  },
  binMeasurements: {
    method: 'post',
    path: '/bin',
    access: 'operator',
    act: 'Moved results to the bin',
    summary: 'Move several measurements to the bin, each with its delete token',
    body: binActionSchema,
    response: binOutcomeSchema,
  },
  restoreMeasurements: {
    method: 'post',
    path: '/bin/restore',
    access: 'operator',
    act: 'Restored results',
    summary: 'Restore several measurements from the bin, each with its delete token',
    body: binActionSchema,
    response: binOutcomeSchema,
  },
  removeMeasurements: {
    method: 'post',
    path: '/bin/remove',
    access: 'operator',
    act: 'Deleted results for good',
    summary: 'Delete several measurements for good, each with its delete token',
    body: binActionSchema,
    response: binOutcomeSchema,
  },
} as const satisfies Record<string, Endpoint>;

/** Which other hosts may be loaded, and the end of all load. */

export const permitEndpoints = {
  listTargets: {
    method: 'get',
    path: '/targets',
    access: 'operator',
    summary: 'Other hosts that may be loaded, and the log of who did what about them',
    response: permittedTargetsSchema,
  },
  allowTarget: {
    method: 'post',
    path: '/targets',
    access: 'admin',
    summary: 'Allow another host to be loaded, by its name, its address or a range',
    body: allowRequestSchema,
    status: 201,
    response: permittedTargetSchema,
  },
  withdrawTarget: {
    method: 'delete',
    path: '/targets/:id',
    access: 'admin',
    summary: 'Stop allowing a host; what loads it already goes on until it ends or is stopped',
    params: z.strictObject({ id: permittedTargetSchema.shape.id }),
    response: null,
  },
  stopAll: {
    method: 'post',
    path: '/stop',
    access: 'operator',
    summary: 'Stop all load within a second: what is under way ends, and what waits is canceled',
    response: stoppedSchema,
  },
} as const satisfies Record<string, Endpoint>;

/** Who started and changed what. */

export const auditEndpoints = {
  listAudit: {
    method: 'get',
    path: '/audit',
    access: 'admin',
    summary: 'The audit log: who started and changed what, newest first',
    query: z.strictObject({
      cursor: z.string().max(200).optional(),
      limit: z.coerce.number().int().min(1).max(200).default(50),
    }),
    response: pageOf('events', auditEventSchema),
  },
  exportAudit: {
    method: 'get',
    path: '/audit/export',
    access: 'admin',
    summary: 'The whole audit log as CSV or JSON Lines, newest first',
    query: z.strictObject({ as: z.enum(['csv', 'jsonl']).default('csv') }),
    response: 'text',
  },
} as const satisfies Record<string, Endpoint>;
