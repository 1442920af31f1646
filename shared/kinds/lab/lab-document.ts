import { z } from 'zod';
import { browserDocumentSchema } from './browser-run.ts';
import { handshakesDocumentSchema } from './lab.ts';
import { speedDocumentSchema } from './speed.ts';

/** The document at the permalink `/l/{id}`, told apart by `kind`. */

export const labDocumentSchema = z.discriminatedUnion('kind', [
  handshakesDocumentSchema,
  speedDocumentSchema,
  browserDocumentSchema,
]);
