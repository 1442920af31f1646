import { rmSync } from 'node:fs';
import { readProcessStat } from './process-stat.ts';
import { ProcessTree } from './process-tree.ts';

/**
 * A runtime that compiles while it runs can write the names of what it compiled into a file that perf reads
 * (https://github.com/torvalds/linux/blob/master/tools/perf/Documentation/jit-interface.txt). It leaves the file there when it ends.
 */

/** Make V8 write it, and keep the log that comes with it in a file without a name. */
export const namesCompiledFlags = ['--perf-basic-prof', '--no-logfile-per-isolate', '--logfile=+'];

export function removePerfMaps(pids: readonly number[]): void {
  for (const pid of pids) rmSync(`/tmp/perf-${pid}.map`, { force: true });
}

/** A process with all that it has started; empty once it has ended. */
export function withDescendants(pid: number): number[] {
  const stat = readProcessStat(pid);
  return stat === null ? [] : new ProcessTree({ pid, stat }).list().map((member) => member.pid);
}
