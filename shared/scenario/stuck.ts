import { z } from 'zod';

/** Where the actions of a test came to a stop in a browser, and what the page showed. */
export const stuckSchema = z.strictObject({
  /** Its place among the actions, from 1. */
  step: z.int().positive(),
  /** In its source; null when it was recorded. */
  line: z.int().positive().nullable(),
  /** Such as “Step 3, line 6: no textbox “Search” found on /search within 10 s.” */
  sentence: z.string().max(2000),
  /** A small JPEG in Base64; null when the page gave none. */
  picture: z.string().max(400_000).nullable(),
});
export type Stuck = z.infer<typeof stuckSchema>;
