import { z } from 'zod';
import { bySideSchema } from '../base/transport-schema.ts';
import { countSchema } from '../base/units.ts';
import { methodSchema } from '../scenario/scenario.ts';
import { preflightReportSchema } from './preflight.ts';

/** One transaction on each side of a pair, looked at step by step before anything is loaded. */

const dryRunAnswerSchema = z.strictObject({
  method: methodSchema,
  /** Path as it was sent, variables filled in. */
  path: z.string(),
  status: z.int(),
  contentType: z.string(),
  contentEncoding: z.string(),
  bodyBytes: countSchema,
  bodySha256: z.string(),
  /** Target of a redirect. */
  location: z.string().nullable(),
  /** In lower case; cookies by their names alone. */
  headers: z.array(z.tuple([z.string(), z.string()])),
  /** Taken from this answer for later steps. */
  variables: z.array(z.strictObject({ name: z.string(), value: z.string() })),
  /** Check or extraction that failed, in a sentence. */
  problem: z.string().nullable(),
});
export type DryRunAnswer = z.infer<typeof dryRunAnswerSchema>;

const differenceSchema = z.strictObject({
  what: z.enum([
    'request',
    'status',
    'redirect',
    'scheme',
    'type',
    'encoding',
    'cookies',
    'headers',
    'body',
    'check',
  ]),
  message: z.string(),
  /** Whether the two sides are then not the same application; the others may well be harmless. */
  grave: z.boolean(),
});
export type Difference = z.infer<typeof differenceSchema>;

const dryRunStepSchema = z.strictObject({
  name: z.string(),
  /** Null for a step that was not reached. */
  sides: bySideSchema(dryRunAnswerSchema.nullable()),
  differences: z.array(differenceSchema),
  /** Differences from the recording that no rule explains. */
  unexplained: z.array(z.string()),
});
export type DryRunStep = z.infer<typeof dryRunStepSchema>;

export const dryRunReportSchema = z.strictObject({
  /** Findings of a run's preflight check of this target and scenario, before it loads anything. */
  preflight: preflightReportSchema,
  steps: z.array(dryRunStepSchema),
});
export type DryRunReport = z.infer<typeof dryRunReportSchema>;
