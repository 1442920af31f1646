import { runEventSchema } from './progress.ts';
import { runDocumentSchema } from './run.ts';
import { runRequestSchema } from './run-request.ts';

/** What it is asked for with, tells and leaves behind. */
export const comparison = { request: runRequestSchema, document: runDocumentSchema, event: runEventSchema };
