import { z } from 'zod';
import { describe, requestSchemas } from '../../base/option-schema.ts';
import { tlsProfileSchema } from '../../base/tls-profile.ts';
import { permalinkIdSchema } from '../../base/units.ts';
import { annotationChangeSchema } from '../../measurement/annotation.ts';
import { labelsSchema } from '../../measurement/runner.ts';
import { scenarioSchema, secretValuesSchema } from '../../scenario/scenario.ts';
import { targetRequestSchema } from '../../target/target.ts';
import { linkRequestSchema } from './link.ts';
import { loadOptions } from './options.ts';
import { sidesRequestSchema } from './side.ts';

/** What a run is asked for with. */

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
  /** What each side has of its own. Two alike compare a listener with its twin. */
  sides: sidesRequestSchema.prefault({}),
  tls: tlsProfileSchema.prefault({}),
  ...requestSchemas(loadOptions),
  /** The path between generator and target, the same for all arms; left out for none but this machine’s. */
  link: describe(loadOptions.link, linkRequestSchema.optional()),
  /** ID of the finished run that it goes on from: everything else is asked as it was there. */
  continues: permalinkIdSchema.optional(),
});
export type RunRequest = z.infer<typeof runRequestSchema>;
export type RunRequestInput = z.input<typeof runRequestSchema>;

/** Sent beside a request of any kind: secrets, which are never stored, the annotation of its result, and the labels of its runner. */
export const besideRequest = {
  secrets: secretValuesSchema.default({}),
  annotation: annotationChangeSchema.optional(),
  /** That its runner must have. */
  labels: labelsSchema.optional(),
};

export const createRunSchema = runRequestSchema.extend(besideRequest);
export type CreateRun = z.infer<typeof createRunSchema>;
export type CreateRunInput = z.input<typeof createRunSchema>;
