import type { z } from 'zod';
import { questionLineSchema } from '../kinds/comparison/question-line.ts';
import { type Endpoint, listQuerySchema, pageOf } from './endpoint.ts';

export const questionListSchema = pageOf('questions', questionLineSchema);
export type QuestionList = z.infer<typeof questionListSchema>;

export const questionEndpoints = {
  listQuestions: {
    method: 'get',
    path: '/questions',
    access: 'reader',
    summary: 'Questions that runs have answered, each with all of its runs; the newest answer first',
    query: listQuerySchema.pick({ cursor: true, limit: true, q: true }),
    response: questionListSchema,
  },
} as const satisfies Record<string, Endpoint>;
