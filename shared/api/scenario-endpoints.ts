import { z } from 'zod';
import { dryRunReportSchema } from '../dry-run.ts';
import { importFormatSchema, importReportSchema } from '../import.ts';
import {
  exportFormatSchema,
  revisionSchema,
  scenarioChangeSchema,
  scenarioDraftSchema,
  scenarioLineSchema,
  storedScenarioSchema,
} from '../stored-scenario.ts';
import { type Endpoint, flag, idParams } from './endpoint.ts';
import { preflightRequestSchema } from './target-endpoints.ts';

/** Scenarios: stored, imported, tried and exported. */

const scenarioParams = z.strictObject({ id: z.string().max(40) });

export const importQuerySchema = z.strictObject({
  /** Found out from the content when left out. */
  as: importFormatSchema.optional(),
  name: z.string().trim().min(1).max(100).default('Imported'),
  staticFiles: flag.optional(),
  thirdParties: flag.optional(),
  thinkTimeScale: z.coerce.number().min(0).max(100).optional(),
  /** Names of the variables to take from responses, with commas between them; left out: those that look made by a machine. */
  accepted: z
    .string()
    .max(10_000)
    .transform((text) => text.split(',').filter((name) => name !== ''))
    .optional(),
});
export type ImportQuery = z.infer<typeof importQuerySchema>;

export const scenarioEndpoints = {
  listScenarios: {
    method: 'get',
    path: '/scenarios',
    summary: 'Scenarios, most recently changed first',
    status: 200,
    response: z.array(scenarioLineSchema),
  },
  createScenario: {
    method: 'post',
    path: '/scenarios',
    summary: 'Store a scenario',
    body: scenarioDraftSchema,
    status: 201,
    response: storedScenarioSchema,
  },
  importScenario: {
    method: 'post',
    path: '/scenarios/import',
    summary:
      'Make a scenario from a HAR (up to 64 MiB), a Playwright test, a DevTools recording, curl or JSON; stores nothing',
    query: importQuerySchema,
    body: 'bytes',
    status: 200,
    response: importReportSchema,
  },
  showScenario: {
    method: 'get',
    path: '/scenarios/:id',
    summary: 'Latest revision of a scenario',
    params: scenarioParams,
    status: 200,
    response: storedScenarioSchema,
  },
  changeScenario: {
    method: 'put',
    path: '/scenarios/:id',
    summary: 'Store a new revision of a scenario',
    params: idParams,
    body: scenarioChangeSchema,
    status: 200,
    response: storedScenarioSchema,
  },
  deleteScenario: {
    method: 'delete',
    path: '/scenarios/:id',
    summary: 'Delete a scenario; revisions that runs used stay available',
    params: idParams,
    status: 204,
    response: null,
  },
  dryRun: {
    method: 'post',
    path: '/scenarios/dry-run',
    summary: 'Dry run: one transaction of a scenario on each side of a target, compared step by step',
    body: preflightRequestSchema,
    status: 200,
    response: dryRunReportSchema,
  },
  dryRunScenario: {
    method: 'post',
    path: '/scenarios/:id/dry-run',
    summary: 'Dry run of a stored scenario',
    params: scenarioParams,
    body: preflightRequestSchema.omit({ scenario: true }),
    status: 200,
    response: dryRunReportSchema,
  },
  exportScenario: {
    method: 'get',
    path: '/scenarios/:id/export',
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
    status: 200,
    response: 'text',
  },
  showRevision: {
    method: 'get',
    path: '/revisions/:id',
    summary: 'One revision of a scenario, as at its permalink /s/{id}',
    params: idParams,
    status: 200,
    response: revisionSchema,
  },
} as const satisfies Record<string, Endpoint>;
