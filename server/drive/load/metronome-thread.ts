import { parentPort, workerData } from 'node:worker_threads';
import { beatUnheard, dueAtMs, type Piece, playing } from './metronome.ts';

/** The thread of a metronome. It sleeps until the next arrival is due, and says so. */

const words: Int32Array = workerData;

parentPort?.on('message', ({ number, schedule }: Piece) => {
  let arrival = 0;
  while (Atomics.load(words, playing) === number) {
    const dueMs = dueAtMs(arrival, schedule);
    if (dueMs >= schedule.toMs) return;
    // All threads of a process have the same `performance.now()`.
    const leftMs = dueMs - performance.now();
    if (leftMs > 0) Atomics.wait(words, playing, number, leftMs);
    else {
      arrival++;
      if (Atomics.exchange(words, beatUnheard, 1) === 0) parentPort?.postMessage(null);
    }
  }
});
parentPort?.postMessage(null);
