import type pg from 'pg';
import { z } from 'zod';
import type { SqlResult } from '../../../shared/results/history.ts';
import type { Questions } from '../../base/process/asked-process.ts';

/** Questions to the process that runs SQL. */

const sqlProblemCodeSchema = z.enum(['sql_invalid', 'sql_refused', 'sql_stopped', 'sql_busy', 'sql_off']);
const sqlProblemSchema = z.strictObject({ code: sqlProblemCodeSchema, detail: z.string() });

/** Address of PostgreSQL, and the role that reads it. */
const readerPlaceSchema = z.strictObject({
  host: z.string(),
  port: z.int(),
  database: z.string(),
  ssl: z.custom<pg.ClientConfig['ssl']>().optional(),
  user: z.string(),
  password: z.string(),
  /** Schema of the views. */
  schema: z.string(),
});
export type ReaderPlace = z.infer<typeof readerPlaceSchema>;

export const historyQuestions = {
  /** Opens the database for reading: SQLite's file, or PostgreSQL, which returns the pid of its backend. */
  open: {
    question: z.strictObject({ file: z.string(), place: readerPlaceSchema.nullable() }),
    answer: z.union([sqlProblemSchema, z.strictObject({ backend: z.int() })]),
  },
  run: {
    question: z.strictObject({ sql: z.string(), limit: z.int(), bytes: z.int(), ms: z.int() }),
    answer: z.union([
      sqlProblemSchema,
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
