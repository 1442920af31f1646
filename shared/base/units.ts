import { z } from 'zod';

/** Units a metric can have. Screens and reports format from this; nothing else may guess a unit. */
export const unitSchema = z.enum(['transactions/s', 'transactions', 'us', 'percent', 'bytes', 'bytes/s']);
export type Unit = z.infer<typeof unitSchema>;

export const unixMillisSchema = z.int().nonnegative();
export const countSchema = z.int().nonnegative();
export const portSchema = z.int().min(1).max(65_535);
export const nonNegativeSchema = z.number().nonnegative();

/** 128 random bits in base62: the id of everything that has a permalink. */
export const permalinkIdSchema = z.string().regex(/^[0-9A-Za-z]{22}$/, 'an id is 22 letters and digits');

export const bothWaysSchema = z.strictObject({ clientToServer: countSchema, serverToClient: countSchema });

export type BothWays = z.infer<typeof bothWaysSchema>;

/** An estimate and its confidence interval, at 95 % unless another confidence is given. */
export const estimateSchema = z.strictObject({
  center: z.number(),
  lo: z.number(),
  hi: z.number(),
});

export type Estimate = z.infer<typeof estimateSchema>;

/** A text of that many characters at most. @param problemOf what else is wrong with it, in a sentence; null for nothing */
export function soundText(most: number, problemOf: (text: string) => string | null) {
  return z
    .string()
    .max(most)
    .superRefine((text, context) => {
      const message = problemOf(text);
      if (message !== null) context.addIssue({ code: 'custom', message });
    });
}
