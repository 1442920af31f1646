import { z } from 'zod';
import { errorGroupSchema } from '../../base/outcome.ts';
import { sideNames } from '../../base/transport.ts';

/** Errors that are alike on one side, counted; those of the twin are the baseline's. */
export const sideErrorSchema = errorGroupSchema.omit({ transport: true }).extend({
  side: z.enum(sideNames),
  /** What that side is called. */
  name: z.string(),
});
export type SideError = z.infer<typeof sideErrorSchema>;
