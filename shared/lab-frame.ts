import { z } from 'zod';
import { environmentSchema } from './environment.ts';
import { problemSchema } from './problem.ts';
import { runStateSchema } from './run.ts';
import { permalinkIdSchema, unixMillisSchema } from './units.ts';

/** What every document of the lab has, whatever was measured: the fields around `kind`, `request` and the result. */

/** Bumped when a stored document of the lab changes shape. */
export const labSchemaVersion = 3;

export const labSeedSchema = z
  .int()
  .min(0)
  .max(2 ** 31 - 1);

/** What measuring itself knows. `labFrame` adds what storing it does. */
export const labOutcomeFrame = {
  state: runStateSchema,
  startedAt: unixMillisSchema.nullable(),
  endedAt: unixMillisSchema.nullable(),
  /** Of the order of the cells; null where none was asked for and nothing has begun. */
  seed: labSeedSchema.nullable(),
  /** What ended a measurement that did not finish. */
  problem: problemSchema.nullable(),
  /** Of the whole measurement, in sentences. */
  warnings: z.array(z.string()),
  environment: environmentSchema,
  /** Command line that repeats the measurement. */
  command: z.string(),
};

export const labFrame = {
  schemaVersion: z.literal(labSchemaVersion),
  id: permalinkIdSchema,
  createdAt: unixMillisSchema,
  ...labOutcomeFrame,
};
