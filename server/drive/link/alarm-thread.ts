import { parentPort, workerData } from 'node:worker_threads';
import { never } from './delay-line.ts';

/** The thread of an alarm: sleeps until the time in the shared word, in µs, and says once that it has come. */

const due: BigInt64Array = workerData;

parentPort?.postMessage(null);
for (;;) {
  const dueUs = Atomics.load(due, 0);
  // All threads of a process have the same `performance.now()`.
  const leftMs = dueUs === never ? Number.POSITIVE_INFINITY : Number(dueUs) / 1000 - performance.now();
  if (leftMs > 0) Atomics.wait(due, 0, dueUs, leftMs);
  else if (Atomics.compareExchange(due, 0, dueUs, never) === dueUs) parentPort?.postMessage(null);
}
