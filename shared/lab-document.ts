import { z } from 'zod';
import { browserDocumentSchema, browserRequestSchema } from './browser-run.ts';
import { handshakesDocumentSchema, handshakesRequestSchema } from './lab.ts';
import { speedDocumentSchema, speedRequestSchema } from './speed.ts';

/** Whatever the lab can be asked, and the document at the permalink `/l/{id}`: told apart by `kind`. */

export const labRequestSchema = z.discriminatedUnion('kind', [
  handshakesRequestSchema,
  speedRequestSchema,
  browserRequestSchema,
]);
export type LabRequest = z.infer<typeof labRequestSchema>;

export const labDocumentSchema = z.discriminatedUnion('kind', [
  handshakesDocumentSchema,
  speedDocumentSchema,
  browserDocumentSchema,
]);
export type LabDocument = z.infer<typeof labDocumentSchema>;
