import { z } from 'zod';
import { batchLinkSchema, batchSchema, createdBatchSchema, sitesSchema } from '../results/schedule.ts';
import { anyRequestSchema, createHeaders, type Endpoint, idParams } from './endpoint.ts';

/** One request that several runners measure. */

export const batchEndpoints = {
  createBatch: {
    method: 'post',
    path: '/batches',
    access: 'operator',
    act: 'Started a run on several sites',
    summary: 'Queue one measurement for each set of labels; all of them or none',
    headers: createHeaders,
    body: anyRequestSchema.extend({ kind: z.string(), labels: sitesSchema }),
    status: 201,
    response: createdBatchSchema,
  },
  showBatch: {
    method: 'get',
    path: '/batches/:id',
    access: 'link',
    summary: 'The state and results of each site, as at /b/{id}; poll every two seconds',
    params: idParams,
    response: batchSchema,
  },
  showBatchOf: {
    method: 'get',
    path: '/measurements/:id/batch',
    access: 'link',
    summary: 'The batch that a measurement is part of; null for most',
    params: idParams,
    response: z.strictObject({ batch: batchLinkSchema.nullable() }),
  },
} as const satisfies Record<string, Endpoint>;
