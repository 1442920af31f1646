import { answerQuestions } from '../../../base/process/answer-questions.ts';
import { historyQuestions, type Reader, SqlProblem } from './questions.ts';

/** The process of `openHistory`: one database for reading, one query. */

let run: Reader | null = null;

answerQuestions(historyQuestions, {
  async open({ file, url }) {
    run = await openReader(file, url);
    return null;
  },
  async run(question) {
    if (run === null) throw new Error('the database is not open');
    try {
      return { result: await run(question) };
    } catch (error) {
      if (error instanceof SqlProblem) return { code: error.code, detail: error.message };
      throw error;
    }
  },
});

/** Only the one that is needed is loaded: whoever asks waits for it. */
async function openReader(file: string, url: string | null): Promise<Reader> {
  if (url === null) return (await import('./read-only-sqlite.ts')).openReadOnlySqlite(file);
  return await (await import('./read-only-postgres.ts')).openReadOnlyPostgres(url);
}
