import { z } from 'zod';
import { permalinkIdSchema } from '../base/units.ts';
import {
  createdScheduleSchema,
  newScheduleSchema,
  scheduleChangeSchema,
  scheduleListSchema,
  scheduleSchema,
} from '../measurement/schedule.ts';
import { type Endpoint, idParams } from './endpoint.ts';

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
