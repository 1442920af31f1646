import { z } from 'zod';
import type { Questions } from '../base/process/questions.ts';

/** What the process of dashboards is asked. */
export const questions = {
  /** Answered with its address. Its runs are measured by a script at this pace, and for real without one. */
  open: {
    question: z.strictObject({ dataDirectory: z.string(), pace: z.number().nullable() }),
    answer: z.string(),
  },
  /** By its address. */
  close: { question: z.string(), answer: z.void() },
} satisfies Questions;
