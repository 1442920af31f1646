import { z } from 'zod';
import { tlsProfileSchema } from '../../base/tls-profile.ts';
import { transportPairSchema } from '../../base/transport-schema.ts';
import { labelChangeSchema } from '../../measurement/label.ts';
import { seedSchema } from '../../measurement/measurement.ts';
import { labelsSchema } from '../../measurement/runner.ts';
import { scenarioSchema, secretValuesSchema } from '../../scenario/scenario.ts';
import { targetRequestSchema } from '../../target/target.ts';
import { linkRequestSchema } from './link.ts';
import { connectionPolicySchema, presetSchema } from './load-choice.ts';
import {
  generatorsSchema,
  launchesSchema,
  pairUsersSchema,
  requestsPerConnectionSchema,
  toleranceSchema,
  windowMsSchema,
} from './load-profile.ts';

/** What a run is asked for with. */

export const mostConnections = 5000;

export const runRequestSchema = z.strictObject({
  kind: z.literal('comparison').default('comparison'),
  target: targetRequestSchema.default({ kind: 'storefront' }),
  /** Id of a scenario or of one of its revisions, or a scenario; null for the one that the target comes with. */
  scenario: z
    .union([z.string().max(40), scenarioSchema], {
      error: 'scenario is an id such as "search", or a scenario',
    })
    .nullable()
    .default(null),
  preset: presetSchema.default('quick'),
  /** What the baseline and the comparison arm speak; `["http","http"]` compares a listener with its twin. */
  transports: transportPairSchema.default(['http', 'https']),
  seed: seedSchema.optional(),
  tls: tlsProfileSchema.prefault({}),
  connectionPolicy: connectionPolicySchema.default('keep-alive'),
  requestsPerConnection: requestsPerConnectionSchema.default(100),
  connections: z.int().min(1).max(mostConnections).default(8),
  /** Starts of the target; null for the preset’s. A target that stands already has one. */
  launches: launchesSchema.nullable().default(null),
  /** Users who each do the transaction on the arms in turn. */
  pairUsers: pairUsersSchema.default(1),
  windowMs: windowMsSchema.default(200),
  tolerance: toleranceSchema.default(0.05),
  /** Transactions per second in open load; null for half of what the slower side manages. quick has open load only when it is asked for. */
  ratePerS: z.number().positive().max(1_000_000).nullable().default(null),
  /** Factor on the scenario’s think times; null keeps those that the slots of the preset hold and leaves longer ones out. */
  thinkTimeScale: z.number().min(0).max(10).nullable().default(null),
  rampMs: z.int().min(0).max(10_000).default(0),
  /** Processes of the load generator; null for as many as the machine's cores allow. */
  generators: generatorsSchema.nullable().default(null),
  /** The path between generator and target, the same for all arms; left out for none but this machine’s. */
  link: linkRequestSchema.optional(),
});
export type RunRequest = z.infer<typeof runRequestSchema>;
export type RunRequestInput = z.input<typeof runRequestSchema>;

/** Sent beside a request of any kind: secrets, which are never stored, the label of its result, and the labels of its runner. */
export const besideRequest = {
  secrets: secretValuesSchema.default({}),
  label: labelChangeSchema.optional(),
  /** That its runner must have. */
  labels: labelsSchema.optional(),
};

export const createRunSchema = runRequestSchema.extend(besideRequest);
export type CreateRun = z.infer<typeof createRunSchema>;
export type CreateRunInput = z.input<typeof createRunSchema>;
