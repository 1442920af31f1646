import { z } from 'zod';
import type { Problem } from '../../../../shared/base/problem.ts';
import type { ImportReport } from '../../../../shared/scenario/import.ts';
import type { Questions } from '../../../base/process/questions.ts';
import type { ImportFacts } from '../import-stream.ts';

/** Both ends are ours and have parsed what they send. Its schemas take as long to load as a text takes to be read. */
const sent = <Value>() => z.custom<Value>((value) => typeof value === 'object');

/** What the process that imports is asked, in this order, and `feed` for each piece. */
export const importQuestions = {
  begin: {
    /** `compiled`: where the server keeps compiled modules. */
    question: z.strictObject({ facts: sent<ImportFacts>(), compiled: z.string().nullable() }),
    answer: z.null(),
  },
  /** Answers once the piece is taken, whether another one is wanted. */
  feed: { question: z.instanceof(Uint8Array), answer: z.boolean() },
  /** Answers when all is read. */
  finish: {
    question: z.null(),
    answer: z.union([
      z.strictObject({ problem: sent<Problem>() }),
      z.strictObject({ report: sent<ImportReport>() }),
    ]),
  },
} satisfies Questions;
