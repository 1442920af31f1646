import { z } from 'zod';

/** What the process that delays packets is asked: to join these networks by a cable, each with its first process. */
export const delayQuestions = {
  open: {
    question: z.strictObject({
      from: z.int().positive(),
      to: z.array(z.int().positive()),
      roundTripMs: z.number().positive(),
    }),
    /** The names of the devices at both ends of each. */
    answer: z.array(z.strictObject({ near: z.string(), far: z.string() })),
  },
};
