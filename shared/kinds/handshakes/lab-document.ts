import { z } from 'zod';
import { speedDocumentSchema } from '../speed/speed.ts';
import { visitsDocumentSchema } from '../visits/visits.ts';
import { handshakesDocumentSchema } from './handshakes.ts';

/** The document at the permalink `/l/{id}`, told apart by `kind`. */

export const labDocumentSchema = z.discriminatedUnion('kind', [
  handshakesDocumentSchema,
  speedDocumentSchema,
  visitsDocumentSchema,
]);
