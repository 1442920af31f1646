import { z } from 'zod';
import { auditEventSchema } from '../team/audit.ts';
import { type Endpoint, pageOf } from './endpoint.ts';

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
