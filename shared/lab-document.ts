import { z } from 'zod';
import { handshakesDocumentSchema, handshakesRequestSchema } from './lab.ts';

/** Whatever the lab can be asked, and the document at the permalink `/l/{id}`: told apart by `kind`. */

export const labRequestSchema = z.discriminatedUnion('kind', [handshakesRequestSchema]);
export type LabRequest = z.infer<typeof labRequestSchema>;

export const labDocumentSchema = z.discriminatedUnion('kind', [handshakesDocumentSchema]);
export type LabDocument = z.infer<typeof labDocumentSchema>;
