import { answerQuestions } from '../../base/process/asked-process.ts';
import { historyQuestions, type Reader, type ReaderPlace, SqlProblem } from './history-questions.ts';

/** The process of `openHistory`: one database for reading, one query. */

let run: Reader | null = null;

answerQuestions(historyQuestions, {
  open: ({ file, place }) =>
    orProblem(async () => {
      const opened = await openReader(file, place);
      run = opened.read;
      return { backend: opened.backend };
    }),
  run: (question) =>
    orProblem(async () => {
      if (run === null) throw new Error('the database is not open');
      return { result: await run(question) };
    }),
});

async function orProblem<Answer>(answer: () => Promise<Answer>) {
  try {
    return await answer();
  } catch (error) {
    if (!(error instanceof SqlProblem)) throw error;
    const { code, message: detail, cause } = error;
    return { code, detail, ...(typeof cause === 'string' ? { details: cause } : {}) };
  }
}

/** Only the one that is needed is loaded: whoever asks waits for it. */
async function openReader(
  file: string,
  place: ReaderPlace | null,
): Promise<{ read: Reader; backend: number }> {
  if (place !== null) {
    const [{ openReadOnlyPostgres }, { judgePostgres }] = await Promise.all([
      import('./read-only-postgres.ts'),
      import('./judge-postgres.ts'),
    ]);
    return openReadOnlyPostgres(place, judgePostgres);
  }
  return { read: (await import('./read-only-sqlite.ts')).openReadOnlySqlite(file), backend: 0 };
}
