import { getCompileCacheDir } from 'node:module';
import { type Problem, type ProblemError, problem } from '../../../../shared/base/problem.ts';
import type { ImportReport } from '../../../../shared/scenario/import.ts';
import { lowerPriority } from '../../../base/process/lower-priority.ts';
import { type AskedProcess, startAskedProcess } from '../../../base/process/start-asked-process.ts';
import type { ImportFacts } from '../import-stream.ts';
import { importQuestions } from './questions.ts';

type Importing = AskedProcess<typeof importQuestions>;

const usual = { memoryMiB: 200, patienceMs: 100_000 };

/**
 * As `importStream`, in a process of its own: the server goes on answering meanwhile, and what a text makes a parser do ends with
 * that process. One huge allocation ends the whole process that makes it, whatever the limits of its threads. Throws import_unreadable.
 */
export async function importApart(
  chunks: AsyncIterable<Uint8Array>,
  facts: ImportFacts,
  { memoryMiB, patienceMs } = usual,
): Promise<ImportReport> {
  const source = chunks[Symbol.asyncIterator]();
  const deadline = new AbortController();
  const timer = setTimeout(
    () => deadline.abort(problem('import_unreadable', `Reading timed out after ${patienceMs / 1000} s.`)),
    patienceMs,
  );
  try {
    const importing = await startAskedProcess({
      script: new URL('./process.ts', import.meta.url),
      questions: importQuestions,
      name: 'The process that reads it',
      code: 'import_unreadable',
      refused: (reason) => new Error(`An import failed: ${reason}`),
      graceMs: patienceMs,
      signal: deadline.signal,
      quiet: true,
      execArgv: [`--max-old-space-size=${memoryMiB}`],
    });
    try {
      // A measurement may be going on.
      lowerPriority(importing.pid);
      return await readWith(importing, source, facts);
    } catch (error) {
      throw (await isOutOfMemory(importing))
        ? problem('import_unreadable', `Reading needs more than ${memoryMiB} MiB.`)
        : error;
    } finally {
      await importing.stop();
    }
  } finally {
    clearTimeout(timer);
    await source.return?.();
  }
}

async function readWith(
  { ask, ended }: Importing,
  source: AsyncIterator<Uint8Array>,
  facts: ImportFacts,
): Promise<ImportReport> {
  await ask('begin', { facts, compiled: getCompileCacheDir() ?? null });
  for (;;) {
    // Whoever sends it may take long, and the process may end meanwhile, which the next question says.
    const next = await Promise.race([source.next(), ended.then(() => null)]);
    if (next === null || next.done || !(await ask('feed', new Uint8Array(next.value)))) break;
  }
  const answer = await ask('finish', null);
  if ('problem' in answer) throw problemOf(answer.problem);
  return answer.report;
}

/** As V8 ends a process. Of one that goes on, how it will end is not known. */
async function isOutOfMemory({ ended }: Importing): Promise<boolean> {
  return /^(SIGABRT|exit code 134)$/.test(await Promise.race([ended, 'goes on']));
}

/** As it was thrown in the process. */
function problemOf({ code, detail, errors }: Problem): ProblemError {
  return problem(code, errors === undefined ? detail : { detail, errors });
}
