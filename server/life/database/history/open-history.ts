import { problem } from '../../../../shared/base/problem.ts';
import { type SqlRequest, type SqlResult, sqlLimits } from '../../../../shared/measurement/history.ts';
import { lowerPriority } from '../../../base/process/lower-priority.ts';
import { readProc } from '../../../base/process/proc-files.ts';
import { type AskedProcess, startAskedProcess } from '../../../base/process/start-asked-process.ts';
import type { Database, DatabaseOptions } from '../open-database.ts';
import { sqliteFile } from '../open-sqlite.ts';
import { historyQuestions } from './questions.ts';

/** SQL over what was measured. */
export type History = {
  /** Throws sql_invalid, sql_refused, sql_stopped, database_gone. */
  ask(request: SqlRequest): Promise<SqlResult>;
};

type Limits = { ms: number; bytes: number; memoryBytes: number };

const usual: Limits = { ms: sqlLimits.ms, bytes: sqlLimits.bytes, memoryBytes: 512 * 2 ** 20 };

/** V8 takes hundreds of MiB to optimize PostgreSQL's parser, for one query. */
const asCompiled = ['--liftoff-only'];

/** How often a query is looked at that grows. */
const lookMs = 50;
const startMs = 60_000;

/**
 * Each query runs in a process of its own that can only read: it is ended when its time or memory is up, whatever SQLite is
 * doing, and the dashboard goes on answering meanwhile. One at a time, and at a lower priority, as a measurement may be going on.
 */
export function openHistory(
  { directory, url, demandFile = () => {} }: DatabaseOptions & Partial<Pick<Database, 'demandFile'>>,
  limits: Limits = usual,
): History {
  let last: Promise<unknown> = Promise.resolve();
  return {
    async ask(request) {
      demandFile();
      const asked = last.then(() => askApart({ file: sqliteFile(directory), url }, request, limits));
      last = asked.catch(() => {});
      return asked;
    },
  };
}

async function askApart(
  place: { file: string; url: string | null },
  { sql, limit }: SqlRequest,
  { ms, bytes, memoryBytes }: Limits,
): Promise<SqlResult> {
  const process = await startAskedProcess({
    script: new URL('./process.ts', import.meta.url),
    questions: historyQuestions,
    name: 'The process that runs SQL',
    code: 'sql_failed',
    refused: (reason) => problem('sql_failed', `The database cannot be read: ${reason}.`),
    graceMs: startMs,
    serialization: 'json',
    execArgv: asCompiled,
  });
  const watch = new AbortController();
  const timer = setInterval(() => {
    if (residentBytes(process) > memoryBytes) watch.abort(tooLarge(memoryBytes));
  }, lookMs);
  try {
    await process.ask('open', place, { signal: watch.signal });
    lowerPriority(process.pid);
    const late = setTimeout(() => watch.abort(tooLong(ms)), ms);
    const question = { sql, limit, bytes, ms };
    const answer = await process
      .ask('run', question, { signal: watch.signal })
      .finally(() => clearTimeout(late));
    if ('code' in answer) throw problem(answer.code, answer.detail);
    return answer.result;
  } finally {
    clearInterval(timer);
    await process.stop();
  }
}

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
