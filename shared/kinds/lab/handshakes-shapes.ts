import { handshakesDocumentSchema, handshakesRequestSchema } from './lab.ts';
import { labEventSchema } from './lab-progress.ts';

/** What it is asked for with, tells and leaves behind. */
export const handshakes = {
  request: handshakesRequestSchema,
  document: handshakesDocumentSchema,
  event: labEventSchema,
};
