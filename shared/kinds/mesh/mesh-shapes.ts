import { lifeEventSchema } from '../../measurement/measurement.ts';
import { meshDocumentSchema, meshRequestSchema } from './mesh.ts';

/** What it is asked for with, tells and leaves behind. */
export const mesh = { request: meshRequestSchema, document: meshDocumentSchema, event: lifeEventSchema };
