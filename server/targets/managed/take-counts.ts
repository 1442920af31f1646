import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { problem } from '../../../shared/base/problem.ts';
import type { ServerName } from '../../../shared/target/server-options.ts';
import { serverTitles } from '../../../shared/target/target-words.ts';
import { runChild, runChildAtOnce, unprivilegedUser } from '../../base/process/children.ts';
import { managedServers } from './managed-servers.ts';
import { countsPrefix, pipePrefix } from './start-servers.ts';

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

type Valgrind = { version: string; path: string; vgdb: string };

/** Throws valgrind_missing. */
export function demandValgrind(): Valgrind {
  const directories = (process.env.PATH ?? '').split(delimiter);
  const path = directories.map((each) => join(each, 'valgrind')).find((each) => existsSync(each));
  const vgdb = path === undefined ? '' : join(dirname(path), 'vgdb');
  const said = path === undefined ? null : runChildAtOnce(path, ['--version'], versionOptions);
  const version = /^valgrind-(\S+)/.exec(said?.stdout ?? '')?.[1];
  if (path === undefined || version === undefined || !existsSync(vgdb)) {
    throw problem(
      'valgrind_missing',
      'Valgrind was not found. It counts instructions. Install it: apt install valgrind (Debian, Ubuntu).',
    );
  }
  return { version, path, vgdb };
}

const versionOptions = { encoding: 'utf8', timeout: 10_000 } as const;

/** Throws not_countable for a server that does not work in Valgrind. */
export function demandCountable(name: ServerName): void {
  const { uncountable } = managedServers[name];
  if (uncountable === undefined) return;
  throw problem('not_countable', {
    detail: `Instructions of ${serverTitles[name]} cannot be counted. ${uncountable}`,
    errors: [{ field: 'server', message: uncountable }],
  });
}
