import { z } from 'zod';
import type { Questions } from '../base/process/asked-process.ts';

/** Questions to the process of dashboards. */
export const questions = {
  /**
   * Answered with its address. Its runs are measured by a script at this pace, and for real without one. With changes to a brief
   * plan, runs of the process are brief until it is closed, and it has a browser.
   */
  open: {
    question: z.strictObject({
      dataDirectory: z.string(),
      pace: z.number().nullable(),
      plan: z.record(z.string(), z.unknown()).nullable(),
    }),
    answer: z.string(),
  },
  /** By its address. */
  close: { question: z.string(), answer: z.void() },
} satisfies Questions;
