import { z } from 'zod';
import { permalinkIdSchema } from '../base/units.ts';
import { historyViewNames, sqlRequestSchema, sqlResultSchema } from '../results/history.ts';
import { questionLineSchema } from '../results/summary.ts';
import { dryRunReportSchema } from '../target/dry-run.ts';
import { listed } from '../words/example-words.ts';
import { type Endpoint, listQuerySchema, pageOf } from './endpoint.ts';
import { scenarioParams } from './scenario-endpoints.ts';
import { preflightRequestSchema } from './target-endpoints.ts';

export const questionListSchema = pageOf('questions', questionLineSchema);
export type QuestionList = z.infer<typeof questionListSchema>;

export const questionEndpoints = {
  listQuestions: {
    method: 'get',
    path: '/questions',
    access: 'reader',
    summary: 'Questions that runs have answered, each with all of its runs; the newest answer first',
    query: listQuerySchema.pick({ cursor: true, limit: true, q: true }),
    response: questionListSchema,
  },
} as const satisfies Record<string, Endpoint>;

/** Scenarios that are tried once. */

const openDryRunSchema = z.strictObject({
  /** In Unix milliseconds. */
  open: z.strictObject({ startedAt: z.int() }).nullable(),
});
export type OpenDryRun = z.infer<typeof openDryRunSchema>;

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
  openDryRun: {
    method: 'get',
    path: '/dry-runs/open',
    access: 'operator',
    summary: 'Dry run that has the machine, for its holder and for an admin',
    response: openDryRunSchema,
  },
  endDryRun: {
    method: 'delete',
    path: '/dry-runs/open',
    access: 'operator',
    act: 'Ended a dry run',
    summary: 'End the dry run that has the machine. For its holder and for an admin',
    response: null,
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

/** Several results as one page to hand on. */

export const mostResults = 20;

const idsSchema = z
  .string('give the IDs of results, with commas between them')
  .max(1000)
  .transform((text) => [...new Set(text.split(',').filter((id) => id !== ''))])
  .pipe(
    z
      .array(permalinkIdSchema)
      .min(1, 'give the ID of a result')
      .max(mostResults, `give at most ${mostResults} results`),
  );

export const reportEndpoints = {
  saveReport: {
    method: 'get',
    path: '/report',
    access: 'link',
    summary: `Save up to ${mostResults} finished results as one HTML file with a title page`,
    query: z.strictObject({
      /** IDs of results, separated by commas, in the order of the file. */
      ids: idsSchema,
      /** On the title page. */
      title: z.string().trim().max(200).default(''),
    }),
    response: 'text',
  },
} as const satisfies Record<string, Endpoint>;

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
