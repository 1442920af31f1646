import { Worker } from 'node:worker_threads';
import type { ImportReport } from '../../../shared/import.ts';
import { type Problem, type ProblemError, problem } from '../../../shared/problem.ts';
import type { ImportFacts } from '../import-stream.ts';

/** What the thread says. To `more` the next piece is the answer, and null after the last one. */
export type FromImport =
  | { type: 'more' }
  | { type: 'report'; report: ImportReport }
  | { type: 'problem'; problem: Problem };

const usual = { memoryMiB: 200, patienceMs: 100_000 };

/**
 * As `importStream`, in a thread of its own: the server goes on answering meanwhile, what the reading takes of memory is limited
 * and given back, and a text that keeps a parser busy for ever is given up. Throws import_unreadable.
 */
export async function importApart(
  chunks: AsyncIterable<Uint8Array>,
  facts: ImportFacts,
  { memoryMiB, patienceMs } = usual,
): Promise<ImportReport> {
  const source = chunks[Symbol.asyncIterator]();
  const { promise, resolve, reject } = Promise.withResolvers<ImportReport>();
  const worker = new Worker(new URL('./import-thread.ts', import.meta.url), {
    workerData: facts,
    resourceLimits: { maxOldGenerationSizeMb: memoryMiB },
  });
  const patience = setTimeout(
    () => reject(problem('import_unreadable', `Reading timed out after ${patienceMs / 1000} s.`)),
    patienceMs,
  );

  async function sendNext(): Promise<void> {
    const { value, done } = await source.next();
    if (done) return worker.postMessage(null);
    // A copy: what is handed over is taken from the stream's own memory.
    const piece = new Uint8Array(value);
    worker.postMessage(piece, [piece.buffer]);
  }

  worker.on('message', (message: FromImport) => {
    if (message.type === 'more') sendNext().catch(reject);
    else if (message.type === 'report') resolve(message.report);
    else reject(problemOf(message.problem));
  });
  worker.on('error', (error: NodeJS.ErrnoException) => {
    const isFull = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
    reject(isFull ? problem('import_unreadable', `Reading needs more than ${memoryMiB} MiB.`) : error);
  });
  try {
    return await promise;
  } finally {
    clearTimeout(patience);
    await worker.terminate();
    await source.return?.();
  }
}

/** As it was thrown in the thread. */
function problemOf({ code, detail, errors }: Problem): ProblemError {
  return problem(code, errors === undefined ? detail : { detail, errors });
}
