import { lifeEventSchema } from '../../measurement/measurement.ts';
import { explainDocumentSchema, explainRequestSchema } from './explain.ts';

/** What it is asked for with, tells and leaves behind. */
export const explain = {
  request: explainRequestSchema,
  document: explainDocumentSchema,
  event: lifeEventSchema,
};
