import { historyViewNames, sqlRequestSchema, sqlResultSchema } from '../measurement/history.ts';
import { listed } from '../words/listed.ts';
import type { Endpoint } from './endpoint.ts';

/** Asks the history in SQL. */

export const sqlEndpoints = {
  sql: {
    method: 'post',
    path: '/sql',
    access: 'reader',
    summary: `Run one SELECT on the views ${listed(historyViewNames)}`,
    body: sqlRequestSchema,
    response: sqlResultSchema,
  },
} as const satisfies Record<string, Endpoint>;
