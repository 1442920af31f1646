import { serversRequestSchema } from './servers.ts';
import { serversEventsSchema } from './servers-progress.ts';
import { serversDocumentSchema } from './servers-result.ts';

/** What it is asked for with, tells and leaves behind. */
export const servers = {
  request: serversRequestSchema,
  document: serversDocumentSchema,
  event: serversEventsSchema,
};
