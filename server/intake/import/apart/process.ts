import { enableCompileCache } from 'node:module';
import type { z } from 'zod';
import type { ProblemError } from '../../../../shared/base/problem.ts';
import { answerQuestions } from '../../../base/process/answer-questions.ts';
import { endWithParent } from '../../../base/process/end-with-parent.ts';
import type { ImportFacts } from '../import-stream.ts';
import { importQuestions } from './questions.ts';

/** The process of `importApart`: one import, and its end. */

type Outcome = z.input<(typeof importQuestions)['finish']['answer']>;

const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
const pieces = writable.getWriter();
let outcome: Promise<Outcome> = Promise.reject(new Error('nothing was begun'));
outcome.catch(() => {});

// A parser that is kept busy does not notice that its parent is gone.
endWithParent();
answerQuestions(
  importQuestions,
  {
    begin({ facts, compiled }) {
      outcome = read(facts, compiled);
      outcome.catch(() => {});
      return null;
    },
    feed: (piece) => {
      const taken = pieces.write(piece).then(
        () => true,
        () => false,
      );
      // Who has read enough may leave the rest without a word.
      const over = outcome.then(
        () => false,
        () => false,
      );
      return Promise.race([taken, over]);
    },
    finish() {
      pieces.close().catch(() => {});
      return outcome;
    },
  },
  { reasonOf: (error) => String((error as Error).stack) },
);

async function read(facts: ImportFacts, compiled: string | null): Promise<Outcome> {
  if (compiled !== null) enableCompileCache(compiled);
  // Loaded here, so that the cache has them: it halves the time of a short text.
  const { importStream } = await import('../import-stream.ts');
  try {
    return { report: await importStream(readable, facts) };
  } catch (error) {
    if (!isProblem(error)) throw error;
    return { problem: error.problem };
  }
}

function isProblem(error: unknown): error is ProblemError {
  return error instanceof Error && 'problem' in error;
}
