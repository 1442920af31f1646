import { type Problem, ProblemError, problem } from '../../../shared/base/problem.ts';
import { type LoggedTraffic, openAccessLog } from '../../../shared/kinds/prices/access-log.ts';

/** Reads an access log outside the page's thread. Nothing of it leaves the browser: only the page hears from this worker. */

export type LogRequest = { file: File; format: string | null };

export type LogMessage =
  | { type: 'progress'; share: number; lines: number }
  | { type: 'traffic'; traffic: LoggedTraffic }
  | { type: 'problem'; problem: Problem };

addEventListener('message', async ({ data }: MessageEvent<LogRequest>) => {
  try {
    tell({ type: 'traffic', traffic: await readLog(data) });
  } catch (error) {
    tell({ type: 'problem', problem: problemOf(error, data.file).problem });
  }
});

function tell(message: LogMessage) {
  postMessage(message);
}

const progressEveryMs = 200;

async function readLog({ file, format }: LogRequest): Promise<LoggedTraffic> {
  const log = openAccessLog(format);
  let readBytes = 0;
  let toldAt = performance.now();
  const counter = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, next) {
      readBytes += chunk.length;
      next.enqueue(chunk);
      if (performance.now() - toldAt < progressEveryMs) return;
      toldAt = performance.now();
      tell({ type: 'progress', share: readBytes / file.size, lines: log.traffic().lines });
    },
  });
  const counted = file.stream().pipeThrough(counter);
  const plain = isCompressed(file) ? counted.pipeThrough(new DecompressionStream('gzip')) : counted;
  // Separators and figures are ASCII in every encoding of a log, and no cut can break a character of this one.
  const decoder = new TextDecoder('latin1');
  const reader = plain.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    log.write(decoder.decode(read.value));
  }
  return log.end();
}

function isCompressed({ name }: File): boolean {
  return name.endsWith('.gz');
}

function problemOf(error: unknown, file: File): ProblemError {
  if (error instanceof ProblemError) return error;
  if (isCompressed(file) && error instanceof TypeError) {
    return problem('file_unreadable', {
      detail: `${file.name} cannot be unpacked.`,
      advice: 'Unpack it and choose the log itself. A browser cannot unpack a gzip file of several parts.',
    });
  }
  return problem('file_unreadable', {
    detail: `${file.name} cannot be read.`,
    advice: 'Choose it again. It may have been changed or moved.',
    details: String(error),
  });
}
