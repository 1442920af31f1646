import { openSync, readSync } from 'node:fs';
import { nullWhenHidden } from './proc-files.ts';

/** From `/proc/loadavg`, of the whole machine. Source: proc_loadavg(5). */
type KernelLoad = {
  /** Threads that run or wait for a core, the reading one included. */
  runnable: number;
  /** The process or thread that was started last. */
  lastPid: number;
};

const buffer = Buffer.alloc(128);
let file: number | null = null;

/** Null where the kernel does not say, or says what cannot be. 3 µs: the file stays open. */
export function readKernelLoad(): KernelLoad | null {
  try {
    file ??= openSync('/proc/loadavg', 'r');
    return parseKernelLoad(buffer.toString('latin1', 0, readSync(file, buffer, 0, buffer.length, 0)));
  } catch (error) {
    return nullWhenHidden(error);
  }
}

export function parseKernelLoad(text: string): KernelLoad | null {
  const [, , , threads = '', lastPid = ''] = text.trim().split(' ');
  const load = { runnable: Number.parseInt(threads, 10), lastPid: Number.parseInt(lastPid, 10) };
  // Whoever reads runs, and has been started.
  return load.runnable >= 1 && load.lastPid >= 1 ? load : null;
}
