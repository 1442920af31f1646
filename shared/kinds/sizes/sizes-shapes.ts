import { sizesEventsSchema } from './size-progress.ts';
import { sizesDocumentSchema, sizesRequestSchema } from './sizes.ts';

/** What it is asked for with, tells and leaves behind. */
export const sizes = { request: sizesRequestSchema, document: sizesDocumentSchema, event: sizesEventsSchema };
