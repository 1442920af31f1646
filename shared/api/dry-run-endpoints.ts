import { dryRunReportSchema } from '../scenario/dry-run.ts';
import type { Endpoint } from './endpoint.ts';
import { scenarioParams } from './scenario-endpoints.ts';
import { preflightRequestSchema } from './target-endpoints.ts';

/** Scenarios that are tried once. */

export const dryRunEndpoints = {
  dryRun: {
    method: 'post',
    path: '/scenarios/dry-run',
    access: 'operator',
    act: 'Dry-ran a scenario',
    summary: 'Dry run: one transaction of a scenario on each side of a target, compared step by step',
    body: preflightRequestSchema,
    response: dryRunReportSchema,
  },
  dryRunScenario: {
    method: 'post',
    path: '/scenarios/:id/dry-run',
    access: 'operator',
    act: 'Dry-ran a scenario',
    summary: 'Dry run of a stored scenario',
    params: scenarioParams,
    body: preflightRequestSchema.omit({ scenario: true }),
    response: dryRunReportSchema,
  },
} as const satisfies Record<string, Endpoint>;
