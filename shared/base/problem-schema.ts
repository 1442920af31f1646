import { z } from 'zod';
import { type ProblemCode, problemCatalogue } from './problem-catalogue.ts';

/** A problem as it is sent and stored. Apart from `problem.ts`, which a page needs before it can set up schemas. */

export const problemCodeSchema = z.enum(Object.keys(problemCatalogue) as [ProblemCode, ...ProblemCode[]]);

export const fieldErrorSchema = z.strictObject({
  /** Dotted path of the field, such as `target.https`. */
  field: z.string(),
  message: z.string(),
});

export const problemSchema = z.strictObject({
  type: z.string(),
  code: problemCodeSchema,
  title: z.string(),
  status: z.int(),
  /** The fact, in a sentence. */
  detail: z.string(),
  /** Advice: the next thing to try. */
  advice: z.string(),
  errors: z.array(fieldErrorSchema).optional(),
  /** Original words of the system or of a library, shown folded. Sentences never contain them. */
  details: z.string().optional(),
  /** SHA-256 of the certificate that stood against it, which can be trusted for a run. */
  untrusted: z.string().optional(),
  retryAfterS: z.int().positive().optional(),
});
