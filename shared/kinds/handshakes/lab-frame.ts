import { z } from 'zod';
import { documentFrame, seedSchema } from '../../measurement/measurement.ts';

/** What every document at `/l/{id}` has, whatever was measured: the fields around `kind`, `request` and the result. */

/** Bumped when a stored document of the lab changes shape. */
export const labSchemaVersion = 1;

export const labFrame = {
  schemaVersion: z.literal(labSchemaVersion),
  ...documentFrame,
  /** Of the order of the cells. */
  seed: seedSchema,
};
