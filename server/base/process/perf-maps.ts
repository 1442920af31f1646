import { rmSync } from 'node:fs';

/**
 * A runtime that compiles while it runs can write the names of what it compiled into a file that perf reads
 * (https://github.com/torvalds/linux/blob/master/tools/perf/Documentation/jit-interface.txt). It leaves the file there when it ends.
 */

/** Make V8 write it, and keep the log that comes with it in a file without a name. */
export const namesCompiledFlags = ['--perf-basic-prof', '--no-logfile-per-isolate', '--logfile=+'];

export function removePerfMaps(pids: readonly number[]): void {
  for (const pid of pids) rmSync(`/tmp/perf-${pid}.map`, { force: true });
}
