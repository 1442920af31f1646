import { binActionSchema, binListSchema, binOutcomeSchema } from '../measurement/bin.ts';
import { type Endpoint, listQuerySchema } from './endpoint.ts';

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
