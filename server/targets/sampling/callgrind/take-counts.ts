import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { problem } from '../../../../shared/base/problem.ts';
import { runChild } from '../../../base/process/children.ts';
import { unprivilegedUser } from '../../../base/process/unprivileged-user.ts';
import { countsPrefix, pipePrefix } from '../../managed/under-callgrind.ts';

/** A process answers once it has written its counts. */
const answersWithinMs = 60_000;

/**
 * What each process of a server in Valgrind has executed since this was last called, as Callgrind writes it; its counters begin at zero again. A
 * process that sleeps in the kernel stays there.
 * @param directory the listener's own
 * Throws count_failed, and the reason of the signal.
 */
export async function takeCounts(directory: string, vgdb: string, signal: AbortSignal): Promise<string[]> {
  const pids = countedProcesses(directory);
  const prefix = `--vgdb-prefix=${join(directory, pipePrefix)}`;
  const asked = pids.map((pid) => ask(vgdb, [prefix, `--pid=${pid}`, 'dump'], signal));
  for (const answer of await Promise.allSettled(asked)) {
    if (answer.status === 'rejected') throw answer.reason;
  }
  return pids.flatMap((pid) => filesOf(directory, pid)).map(readAway);
}

function readAway(path: string): string {
  const text = readFileSync(path, 'utf8');
  rmSync(path);
  return text;
}

async function ask(vgdb: string, args: readonly string[], signal: AbortSignal): Promise<void> {
  try {
    // Valgrind answers nobody whose process its own user may not look at, root included.
    await runChild(vgdb, args, { timeout: answersWithinMs, signal, ...unprivilegedUser() });
  } catch (error) {
    signal.throwIfAborted();
    const said = String((error as { stderr?: string }).stderr ?? '').trim();
    throw problem(
      'count_failed',
      `Valgrind did not say what it has counted: ${said.split('\n').at(-1) || (error as Error).message}`,
    );
  }
}

/** Each has a pipe that it is asked through. */
export function countedProcesses(directory: string): number[] {
  const pipe = new RegExp(`^${pipePrefix}-from-vgdb-to-(\\d+)-`);
  const pids = readdirSync(directory).flatMap((name) => pipe.exec(name)?.[1] ?? []);
  return pids.map(Number).toSorted((one, other) => one - other);
}

function filesOf(directory: string, pid: number): string[] {
  const written = new RegExp(`^${countsPrefix}\\.${pid}\\.\\d+$`);
  return readdirSync(directory)
    .filter((name) => written.test(name))
    .map((name) => join(directory, name));
}
