import { once } from 'node:events';
import { type FileHandle, open } from 'node:fs/promises';
import { getCompileCacheDir } from 'node:module';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { problem, problemTold } from '../../../../shared/base/problem.ts';
import type { ImportReport } from '../../../../shared/scenario/import.ts';
import { environmentOf, forkChild, lowerPriority } from '../../../base/process/children.ts';
import { problemOfError } from '../../../base/text/foreign-errors.ts';
import type { ImportFacts } from '../import-stream.ts';
import type { Outcome } from './import-process.ts';

const usual = { memoryMiB: 200, patienceMs: 100_000 };

/**
 * Imports like `importStream`, in a separate process: the server goes on answering meanwhile, and whatever a text makes a parser do ends
 * with that process. One huge allocation ends the whole process that makes it, regardless of the limits of its threads. Throws
 * import_unreadable.
 */
export async function importApart(
  chunks: AsyncIterable<Uint8Array>,
  facts: ImportFacts,
  { memoryMiB, patienceMs } = usual,
): Promise<ImportReport> {
  const child = await startProcess(memoryMiB);
  const ended = once(child, 'exit');
  let outcome: Outcome | undefined;
  child.once('message', (message: Outcome) => endWith(message));
  function endWith(what: Outcome): void {
    outcome ??= what;
    child.kill('SIGKILL');
  }
  const timer = setTimeout(
    () => endWith({ error: problem('import_unreadable', `Reading timed out after ${patienceMs / 1000} s.`) }),
    patienceMs,
  );
  child.send(facts, () => {});
  const fed = feed(chunks, child.stdin as Writable, (error) => endWith({ error }));
  const [exitCode, signal] = await ended;
  clearTimeout(timer);
  await fed;
  return reportOf(
    outcome ?? { error: problem('import_unreadable', whyEnded(signal ?? exitCode, memoryMiB)) },
  );
}

async function startProcess(memoryMiB: number) {
  const compiled = getCompileCacheDir();
  const child = forkChild(new URL('./import-process.ts', import.meta.url), {
    env: { ...environmentOf('node'), ...(compiled === undefined ? {} : { NODE_COMPILE_CACHE: compiled }) },
    execArgv: ['--disable-warning=ExperimentalWarning', `--max-old-space-size=${memoryMiB}`],
    // V8 writes forty lines when the heap limit is reached, which is foreseen.
    stdio: ['pipe', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
  });
  await once(child, 'spawn').catch((error: Error) => {
    throw problemOfError('import_unreadable', 'The process that reads it could not be started', error);
  });
  // A measurement may be going on.
  lowerPriority(child.pid ?? 0);
  return child;
}

/** Sends the source to the process. The process may stop reading early; only a source that breaks is reported. */
async function feed(
  chunks: AsyncIterable<Uint8Array>,
  into: Writable,
  onBroken: (error: unknown) => void,
): Promise<void> {
  async function* watched() {
    try {
      yield* chunks;
    } catch (error) {
      onBroken(error);
    }
  }
  await pipeline(watched, into).catch(() => {});
}

function reportOf(outcome: Outcome): ImportReport {
  if ('report' in outcome) return outcome.report;
  if ('error' in outcome) throw outcome.error;
  if ('failed' in outcome) throw new Error(`An import failed: ${outcome.failed}`);
  throw problemTold(outcome.problem);
}

/** V8 ends a process that is out of memory with SIGABRT, which a shell would call 134. */
function whyEnded(how: string | number, memoryMiB: number): string {
  return how === 'SIGABRT' || how === 134
    ? `Reading needs more than ${memoryMiB} MiB.`
    : `The process that reads it ended (${typeof how === 'number' ? 'exit code ' : ''}${how}).`;
}

/** Imports a file. Throws file_unreadable, and import_unreadable with the entry or the line. */
export async function importFile(path: string, facts: ImportFacts): Promise<ImportReport> {
  const file = await openFile(path);
  try {
    return await importApart(file.createReadStream({ highWaterMark: 256 * 1024, autoClose: false }), facts);
  } finally {
    await file.close();
  }
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    const file = await open(path, 'r');
    if ((await file.stat()).isFile()) return file;
    await file.close();
  } catch (error) {
    throw problemOfError('file_unreadable', `${path} could not be read`, error);
  }
  throw problem('file_unreadable', `${path} is not a file.`);
}
