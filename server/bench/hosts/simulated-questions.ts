import { z } from 'zod';

/** What the process of simulated hosts is asked: to join so many hosts at each of these ports. */
export const simulatedQuestions = {
  join: {
    question: z.strictObject({
      ports: z.array(z.int()).min(1),
      each: z.int().positive(),
      fingerprint: z.string(),
      token: z.string(),
    }),
    answer: z.void(),
  },
};
