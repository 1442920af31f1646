import { type ChildProcess, spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** Starts a program of the cluster, with a log of its own; it ends with the namespace that it is in. */
export function startProgram(
  directory: string,
  name: string,
  command: string,
  args: readonly string[],
): ChildProcess {
  const log = openSync(join(directory, `${name}.log`), 'a');
  const child = spawn(command, args, { stdio: ['ignore', log, log], cwd: directory });
  child.on('exit', (code, signal) => {
    if (signal === null) process.stderr.write(`${name} ended with ${code}: see ${directory}/${name}.log\n`);
  });
  return child;
}

const everyMs = 200;

/** Ends the wait at once. */
export class Over extends Error {}

/** Looks until there is a result. Throws after `seconds`, naming `what`. */
export async function until<T>(what: string, seconds: number, look: () => Promise<T | null>): Promise<T> {
  const end = performance.now() + seconds * 1000;
  for (;;) {
    const seen = await look().catch((error) => {
      if (error instanceof Over) throw error;
      return null;
    });
    if (seen !== null) return seen;
    if (performance.now() > end) throw new Error(`${what}: not within ${seconds} s`);
    await pause(everyMs);
  }
}
