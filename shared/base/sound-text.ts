import { z } from 'zod';

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
