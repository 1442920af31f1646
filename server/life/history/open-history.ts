import { type ProblemError, problem } from '../../../shared/base/problem.ts';
import type { Figures } from '../../../shared/measurement/history-view.ts';
import {
  figuresVersion,
  type SqlRequest,
  type SqlResult,
  sqlLimits,
} from '../../../shared/results/history.ts';
import { type Answer, type AskedProcess, startAskedProcess } from '../../base/process/asked-process.ts';
import { lowerPriority } from '../../base/process/children.ts';
import { readProc } from '../../base/process/proc.ts';
import { problemOfError } from '../../base/text/foreign-errors.ts';
import { markFigures, readDocument, storeFigures } from '../database/measurements.ts';
import type { Database, DatabaseOptions } from '../database/open-database.ts';
import { sqliteFile } from '../database/open-sqlite.ts';
import { historyQuestions } from './history-questions.ts';
import type { Admission } from './reader-role.ts';

/** SQL over what was measured. */
export type History = {
  /** Throws sql_invalid, sql_refused, sql_stopped, sql_busy, sql_off, database_gone, database_unavailable. */
  ask(request: SqlRequest): Promise<SqlResult>;
};

type Limits = { ms: number; bytes: number; memoryBytes: number };

const usual: Limits = { ms: sqlLimits.ms, bytes: sqlLimits.bytes, memoryBytes: 512 * 2 ** 20 };

/** V8 takes hundreds of MiB to optimize PostgreSQL's parser, for one query. */
const asCompiled = ['--liftoff-only'];

/** Few, to leave cores for other work. */
const mostAtOnce = 2;
/** How often a query is looked at that grows. */
const lookMs = 50;
const startMs = 60_000;

/**
 * Each query runs in its own read-only process, which is ended when its time or memory is up, whatever SQLite is doing. The dashboard
 * keeps answering meanwhile. Few queries run at a time, at a lower priority, because a measurement may be in progress.
 */
export function openHistory(
  { directory, url, demandFile = () => {} }: DatabaseOptions & Partial<Pick<Database, 'demandFile'>>,
  limits: Limits = usual,
): History {
  const inTurn = openTurns(mostAtOnce, limits.ms * 2);
  return {
    async ask(request) {
      demandFile();
      return await inTurn(() => askApart({ file: sqliteFile(directory), url }, request, limits));
    },
  };
}

/** Runs up to `most` at a time; a query that has waited for `patienceMs` is refused. */
function openTurns(most: number, patienceMs: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <Result>(act: () => Promise<Result>): Promise<Result> => {
    if (running < most) running++;
    else {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      waiting.push(resolve);
      const late = setTimeout(() => {
        waiting.splice(waiting.indexOf(resolve), 1);
        reject(problem('sql_busy', `${most} queries are running, and others wait.`));
      }, patienceMs);
      await promise.finally(() => clearTimeout(late));
    }
    try {
      return await act();
    } finally {
      // The next in the queue takes over this turn.
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };
}

async function askApart(
  { file, url }: { file: string; url: string | null },
  { sql, limit }: SqlRequest,
  { ms, bytes, memoryBytes }: Limits,
): Promise<SqlResult> {
  const process = await startReader();
  const watch = new AbortController();
  const timer = setInterval(() => {
    if (residentBytes(process) > memoryBytes) watch.abort(tooLarge(memoryBytes));
  }, lookMs);
  let admission: Admission | null = null;
  let backend = 0;
  try {
    admission = url === null ? null : await (await import('./reader-role.ts')).admitReader(url);
    const opened = await process.ask(
      'open',
      { file, place: admission?.place ?? null },
      { signal: watch.signal },
    );
    if ('code' in opened) throw problemOfSql(opened);
    backend = opened.backend;
    await admission?.begun();
    lowerPriority(process.pid);
    const late = setTimeout(() => watch.abort(tooLong(ms)), ms);
    const question = { sql, limit, bytes, ms };
    const answer = await process
      .ask('run', question, { signal: watch.signal })
      .finally(() => clearTimeout(late));
    if ('code' in answer) throw problemOfSql(answer);
    return answer.result;
  } finally {
    clearInterval(timer);
    await process.stop();
    await admission?.end(backend);
  }
}

function problemOfSql({ code, detail, details }: Extract<OpenAnswer, { code: string }>): ProblemError {
  return problem(code, { detail, ...(details === undefined ? {} : { details }) });
}

function startReader(): Promise<AskedProcess<typeof historyQuestions>> {
  return startAskedProcess({
    script: new URL('./history-process.ts', import.meta.url),
    questions: historyQuestions,
    name: 'The process that runs SQL',
    code: 'sql_failed',
    refused: (refusal) => problemOfError('sql_failed', 'The database cannot be read', refusal),
    graceMs: startMs,
    serialization: 'json',
    execArgv: asCompiled,
  });
}

type OpenAnswer = Answer<typeof historyQuestions, 'open'>;

const pageBytes = 4096;

/** 0 where it cannot be read. */
function residentBytes({ pid }: AskedProcess<typeof historyQuestions>): number {
  return Number(readProc(`/proc/${pid}/statm`)?.split(' ')[1] ?? 0) * pageBytes;
}

function tooLong(ms: number): Error {
  return problem('sql_stopped', `The query took longer than ${ms / 1000} s.`);
}

function tooLarge(bytes: number): Error {
  return problem('sql_stopped', `The query took more than ${Math.round(bytes / 2 ** 20)} MiB of memory.`);
}

/** Measurements of these kinds whose documents were stored before today's figures, oldest first; those in the bin have none. */
export async function listWithoutFigures(
  { queries }: Database,
  kinds: readonly string[],
): Promise<{ id: string; kind: string }[]> {
  if (kinds.length === 0) return [];
  return await queries
    .selectFrom('documents')
    .innerJoin('measurements', 'measurements.id', 'documents.measurementId')
    .select(['measurements.id', 'measurements.kind'])
    .where('documents.figuresVersion', '<', figuresVersion)
    .where('measurements.kind', 'in', kinds)
    .where('measurements.state', 'not in', ['queued', 'running'])
    .where('measurements.id', 'not in', ({ selectFrom }) => selectFrom('bin').select('measurementId'))
    .orderBy('measurements.createdAt')
    .execute();
}

/** @param read what a document says, of whatever version it was stored in */
export async function storeFiguresOf(
  database: Database,
  id: string,
  read: (document: unknown) => Figures,
): Promise<void> {
  const stored = await readDocument(database, id);
  if (stored === null) return;
  const figures = read(JSON.parse(await stored.unpack()));
  await database.queries.transaction().execute(async (transaction) => {
    await storeFigures(transaction, id, figures);
    await markFigures(transaction, id);
  });
}
