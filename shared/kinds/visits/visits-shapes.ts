import { visitsDocumentSchema, visitsRequestSchema } from './visits.ts';
import { visitsEventsSchema } from './visits-progress.ts';

/** What it is asked for with, tells and leaves behind. */
export const visits = {
  request: visitsRequestSchema,
  document: visitsDocumentSchema,
  event: visitsEventsSchema,
};
