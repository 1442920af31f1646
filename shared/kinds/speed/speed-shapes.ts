import { cellsEventsSchema } from '../../measurement/cells-progress.ts';
import { speedDocumentSchema, speedRequestSchema } from './speed.ts';

/** What it is asked for with, tells and leaves behind. */
export const speed = { request: speedRequestSchema, document: speedDocumentSchema, event: cellsEventsSchema };
