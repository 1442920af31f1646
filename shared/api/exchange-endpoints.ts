import { z } from 'zod';
import { importReportSchema } from '../scenario/import.ts';
import { exportFormatSchema } from '../scenario/stored-scenario.ts';
import type { Endpoint } from './endpoint.ts';
import { importQuerySchema, scenarioParams } from './scenario-endpoints.ts';

export const exchangeEndpoints = {
  importScenario: {
    method: 'post',
    path: '/scenarios/import',
    access: 'operator',
    summary:
      'Make a scenario from a HAR (up to 64 MiB), a Playwright test, a DevTools recording, curl or JSON; stores nothing',
    query: importQuerySchema,
    body: 'bytes',
    response: importReportSchema,
  },
  exportScenario: {
    method: 'get',
    path: '/scenarios/:id/export',
    access: 'reader',
    summary: 'Export a scenario as a Playwright test, k6 script, HAR, curl commands or JSON',
    params: scenarioParams,
    query: z.strictObject({
      as: exportFormatSchema,
      /** Origin of the requests. Default: the built-in name `http://target.invalid`. */
      origin: z
        .url({ protocol: /^https?$/ })
        .max(300)
        .optional(),
    }),
    response: 'text',
  },
} as const satisfies Record<string, Endpoint>;
