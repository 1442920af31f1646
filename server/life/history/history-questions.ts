import type pg from 'pg';
import { z } from 'zod';
import { cut } from '../../../shared/base/cut.ts';
import type { SqlResult } from '../../../shared/results/history.ts';
import type { Questions } from '../../base/process/asked-process.ts';

/** Questions to the process that runs SQL. */

const sqlProblemCodeSchema = z.enum(['sql_invalid', 'sql_refused', 'sql_stopped', 'sql_busy', 'sql_off']);
const sqlProblemSchema = z.strictObject({
  code: sqlProblemCodeSchema,
  detail: z.string(),
  /** Words of the database. */
  details: z.string().optional(),
});

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

  /** @param cause words of the database */
  constructor(code: SqlProblemCode, detail: string, cause?: string) {
    super(detail, { cause });
    this.code = code;
  }
}

/** A query that the database refuses: the usual mistakes in words of ours, with its own words as details. */
export function invalidSql(error: unknown): SqlProblem {
  const words = cut(error instanceof Error ? error.message : String(error), 2000);
  for (const [pattern, sentence] of mistakes) {
    const match = pattern.exec(words);
    if (match !== null) return new SqlProblem('sql_invalid', sentence(match[1] ?? ''), words);
  }
  return new SqlProblem('sql_invalid', 'The database cannot run this query (details).', words);
}

/** Patterns of the messages of SQLite and PostgreSQL. */
const mistakes: readonly (readonly [RegExp, (name: string) => string])[] = [
  [
    /^(?:near|syntax error at or near) "(.+)"(?:: syntax error)?$/s,
    (near) => `There is a mistake near “${near}”.`,
  ],
  [/^unrecognized token: "(.+)"$/s, (near) => `There is a mistake near “${near}”.`],
  [/^incomplete input$|at end of input$|^unterminated /, () => 'The query ends too early.'],
  [/^cannot modify \S+ because it is a view$/, () => 'Only a SELECT is run: views cannot be written.'],
  [/^string or blob too big$/, () => 'A value is larger than 1 MiB.'],
  [/^no such column: (.+)$/s, (name) => `There is no column ${name}.`],
  [/^column "?([^"]+?)"? does not exist$/, (name) => `There is no column ${name}.`],
  [/^no such table: (.+)$/s, (name) => `There is no view ${name}.`],
  [/^relation "(.+)" does not exist$/s, (name) => `There is no view ${name}.`],
  [/^no such function: (.+)$/s, (name) => `There is no function ${name}.`],
  [/^function (.+) does not exist$/s, (name) => `There is no function ${name}.`],
  [/^ambiguous column name: (.+)$/s, (name) => `More than one view has a column ${name}.`],
  [/^column reference "(.+)" is ambiguous$/s, (name) => `More than one view has a column ${name}.`],
];
