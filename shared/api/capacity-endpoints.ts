import { capacityReportSchema, capacityRequestSchema } from '../kinds/comparison/capacity.ts';
import type { Endpoint } from './endpoint.ts';

/** Plans capacity from given or measured figures. */

export const capacityEndpoints = {
  capacity: {
    method: 'post',
    path: '/capacity',
    access: 'reader',
    summary: 'Cores that a load needs with and without TLS, from given or measured figures',
    body: capacityRequestSchema,
    response: capacityReportSchema,
  },
} as const satisfies Record<string, Endpoint>;
