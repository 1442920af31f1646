import { z } from 'zod';
import type { SqlResult } from '../../../../shared/measurement/history.ts';
import type { Questions } from '../../../base/process/questions.ts';

/** What the process that runs SQL is asked. */

const sqlProblemCodeSchema = z.enum(['sql_invalid', 'sql_refused', 'sql_stopped', 'database_unavailable']);

export const historyQuestions = {
  /** Opens the database for reading: SQLite's file, or PostgreSQL at a connection string. */
  open: {
    question: z.strictObject({ file: z.string(), url: z.string().nullable() }),
    answer: z.null(),
  },
  run: {
    question: z.strictObject({ sql: z.string(), limit: z.int(), bytes: z.int(), ms: z.int() }),
    answer: z.union([
      z.strictObject({ code: sqlProblemCodeSchema, detail: z.string() }),
      // A hundred thousand values come from our own process: looking at each again would take longer than the query.
      z.strictObject({ result: z.custom<SqlResult>((value) => typeof value === 'object') }),
    ]),
  },
} satisfies Questions;

type RunQuestion = z.output<(typeof historyQuestions)['run']['question']>;
/** Runs one query on an open database. Throws SqlProblem. */
export type Reader = (question: RunQuestion) => SqlResult | Promise<SqlResult>;
type SqlProblemCode = z.infer<typeof sqlProblemCodeSchema>;

/** Why SQL is not run, or not to its end. */
export class SqlProblem extends Error {
  readonly code: SqlProblemCode;

  constructor(code: SqlProblemCode, detail: string) {
    super(detail);
    this.code = code;
  }
}
