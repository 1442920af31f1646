import { capacityReportSchema, capacityRequestSchema } from '../capacity.ts';
import { sqlRequestSchema, sqlResultSchema } from '../history.ts';
import type { Endpoint } from './endpoint.ts';

/** Questions that the server answers without measuring. */

export const questionEndpoints = {
  sql: {
    method: 'post',
    path: '/sql',
    access: 'reader',
    summary: 'Run one SELECT on the views v_cells, v_sizes and v_metrics',
    body: sqlRequestSchema,
    status: 200,
    response: sqlResultSchema,
  },
  capacity: {
    method: 'post',
    path: '/capacity',
    access: 'reader',
    summary: 'Cores that a load needs with and without TLS, from given or measured figures',
    body: capacityRequestSchema,
    status: 200,
    response: capacityReportSchema,
  },
} as const satisfies Record<string, Endpoint>;
