import { lifeEventSchema } from '../../measurement/measurement.ts';
import { visitsDocumentSchema, visitsRequestSchema } from './visits.ts';

/** What it is asked for with, tells and leaves behind. */
export const visits = {
  request: visitsRequestSchema,
  document: visitsDocumentSchema,
  event: lifeEventSchema,
};
