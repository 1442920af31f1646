import { once } from 'node:events';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { ProblemError } from '../../../shared/problem.ts';
import { importStream } from '../import-stream.ts';
import type { FromImport } from './import-apart.ts';

/** The thread of `importApart`: one import, and its end. */

const port = parentPort as MessagePort;
const tell = (message: FromImport) => port.postMessage(message);

async function* pieces(): AsyncGenerator<Uint8Array> {
  for (;;) {
    tell({ type: 'more' });
    const [piece] = (await once(port, 'message')) as [Uint8Array | null];
    if (piece === null) return;
    yield piece;
  }
}

try {
  tell({ type: 'report', report: await importStream(pieces(), workerData) });
} catch (error) {
  if (!(error instanceof ProblemError)) throw error;
  tell({ type: 'problem', problem: error.problem });
}
