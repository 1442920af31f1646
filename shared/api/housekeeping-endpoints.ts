import { z } from 'zod';
import { permalinkIdSchema } from '../base/units.ts';
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
import {
  allowRequestSchema,
  permittedTargetSchema,
  permittedTargetsSchema,
  stoppedSchema,
} from '../target/target.ts';
import { auditEventSchema } from '../team/team.ts';
import { type Endpoint, idParams, listQuerySchema, pageOf } from './endpoint.ts';

export const scheduleEndpoints = {
  listSchedules: {
    method: 'get',
    path: '/schedules',
    access: 'reader',
    summary: 'Measurements that are repeated, the next one first',
    /** Lists only schedules that repeat this measurement's request. */
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
