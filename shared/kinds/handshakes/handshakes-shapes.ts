import { cellsEventsSchema } from '../../measurement/cells-progress.ts';
import { handshakesDocumentSchema, handshakesRequestSchema } from './handshakes.ts';

/** What it is asked for with, tells and leaves behind. */
export const handshakes = {
  request: handshakesRequestSchema,
  document: handshakesDocumentSchema,
  event: cellsEventsSchema,
};
