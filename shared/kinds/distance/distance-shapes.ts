import { lifeEventSchema } from '../../measurement/measurement.ts';
import { distanceDocumentSchema, distanceRequestSchema } from './distance.ts';

/** What it is asked for with, tells and leaves behind. */
export const distance = {
  request: distanceRequestSchema,
  document: distanceDocumentSchema,
  event: lifeEventSchema,
};
