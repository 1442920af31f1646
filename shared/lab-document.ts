import { z } from 'zod';
import { type BrowserOutcome, browserDocumentSchema, browserRequestSchema } from './browser-run.ts';
import { type HandshakesOutcome, handshakesDocumentSchema, handshakesRequestSchema } from './lab.ts';
import { type SpeedOutcome, speedDocumentSchema, speedRequestSchema } from './speed.ts';

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

/** What measuring returns: a document without what storing it adds. */
export type LabOutcome = HandshakesOutcome | SpeedOutcome | BrowserOutcome;
