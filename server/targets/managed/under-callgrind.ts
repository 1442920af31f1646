import { join } from 'node:path';
import type { Command } from './managed-server.ts';

/** Beginning of the names of the pipes by which Valgrind is asked for counts, in a listener's own directory. */
export const pipePrefix = 'vgdb';
/** Of the files that it writes them to. */
export const countsPrefix = 'callgrind';

/** More than Apache starts; Valgrind’s own limit is 500. */
const mostThreads = 4096;

/**
 * The same program in Valgrind, which counts the instructions of every process that it starts. No settings but these apply, wherever it finds
 * others. What it cannot execute it names in the error log.
 * @param directory private to the listener, and writable for it
 */
export function underCallgrind({ program, args }: Command, valgrind: string, directory: string): Command {
  return {
    program: valgrind,
    args: [
      ...['--tool=callgrind', '--command-line-only=yes', '--quiet', '--sigill-diagnostics=yes'],
      ...['--trace-children=yes', `--max-threads=${mostThreads}`, '--vgdb=yes'],
      `--vgdb-prefix=${join(directory, pipePrefix)}`,
      `--callgrind-out-file=${join(directory, countsPrefix)}.%p`,
      ...[program, ...args],
    ],
  };
}
