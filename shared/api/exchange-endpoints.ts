import { z } from 'zod';
import { importFormatSchema, importReportSchema } from '../scenario/import.ts';
import { exportFormatSchema } from '../scenario/stored-scenario.ts';
import { type Endpoint, flag } from './endpoint.ts';
import { scenarioParams } from './scenario-endpoints.ts';

/** Scenarios from files and to files. */

/** With commas between them. */
const namesSchema = z
  .string()
  .max(10_000)
  .transform((text) => text.split(',').filter((name) => name !== ''));

const importQuerySchema = z.strictObject({
  /** Found out from the content when left out. */
  as: importFormatSchema.optional(),
  name: z.string().trim().min(1).max(100).default('Imported'),
  staticFiles: flag.optional(),
  thirdParties: flag.optional(),
  thinkTimeScale: z.coerce.number().min(0).max(100).optional(),
  /** Names of the variables to take from responses, with commas between them; left out: those that look made by a machine. */
  accepted: namesSchema.optional(),
  /** Names of secrets that are none, so that their values stay in the scenario. */
  declined: namesSchema.optional(),
});

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
      /** Where the requests go; the built-in name `http://target.invalid` when left out. */
      origin: z
        .url({ protocol: /^https?$/ })
        .max(300)
        .optional(),
    }),
    response: 'text',
  },
} as const satisfies Record<string, Endpoint>;
