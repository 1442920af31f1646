import { z } from 'zod';
import {
  allowRequestSchema,
  permittedTargetSchema,
  permittedTargetsSchema,
  stoppedSchema,
} from '../target/permitted-target.ts';
import type { Endpoint } from './endpoint.ts';

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
