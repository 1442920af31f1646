import type { ChildProcess } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { problem } from '../../../shared/base/problem.ts';
import { samplesPerS } from '../../../shared/kinds/explain/explain.ts';
import { unlessAborted } from '../../base/addresses/load-limits.ts';
import {
  environmentOf,
  exitCodeOf,
  runChild,
  runChildAtOnce,
  startChild,
  withinTime,
} from '../../base/process/children.ts';
import { cutLines, pinToCores } from '../../base/process/cores.ts';
import { programOf, readProc } from '../../base/process/proc.ts';
import { longestLine, type Sample, SampleParser } from '../../method/stack-samples.ts';

/**
 * Bytes of the stack that a sample copies, to be unwound later. RSA needs them: OpenSSL's code for AVX2 keeps its tables there, and with
 * 8 KiB its callers, the nearest functions with a name, are out of reach.
 */
const stackBytes = 16_384;
const startsWithinMs = 20_000;
const endsWithinMs = 30_000;
const largest = '2G';

export type Recording = {
  path: string;
  /** Samples until `pause`; a recording begins paused. */
  resume(): Promise<void>;
  pause(): Promise<void>;
  /** Ends it. Throws perf_failed, disk_full. */
  stop(): Promise<void>;
  /** Ends it at once and deletes what was recorded; also after `stop`. */
  discard(): Promise<void>;
};

/** Options that keep perf from writing anything elsewhere, such as copies of programs below the home directory. */
const closed = ['--no-buildid', '--no-buildid-cache'];

/** Null for all. */
type Cores = {
  sampled: readonly number[] | null;
  /** That it runs on itself. */
  own: readonly number[] | null;
};

/**
 * Method of finding callers: by the unwind tables of programs, for which a sample copies a piece of the stack, or by frame pointers, which
 * need no copy and also lead through what a runtime has compiled, but not through programs that were built without them.
 */
export type Unwinding = 'tables' | 'frames';

/**
 * Samples what cores do, with stacks, by one `perf record`: whole cores, because events of single threads are started and stopped at every
 * switch between them, which made a request of a threaded server cost half as much again. Readers pick the samples that they need. perf ends with this process: its workload
 * is a program that reads from this process until it has ended.
 * @param directory only the owner can open it
 * Throws perf_forbidden, perf_failed, disk_full, and the reason of the signal.
 */
export async function recordStacks(
  directory: string,
  { sampled, own, unwinding = 'tables' }: Cores & { unwinding?: Unwinding },
  signal: AbortSignal,
): Promise<Recording> {
  signal.throwIfAborted();
  const path = join(directory, 'perf.data');
  // Whatever the umask is, it is nobody else's from its first byte.
  closeSync(openSync(path, 'w', 0o600));
  const child = startChild(
    'perf',
    [
      ...['record', '--clockid', 'CLOCK_MONOTONIC', '--event', 'cpu-clock', '--freq', `${samplesPerS}`],
      ...['--call-graph', unwinding === 'frames' ? 'fp' : `dwarf,${stackBytes}`, ...closed],
      ...['--delay', '-1', '--control', 'fd:3,4', '--max-size', largest, '--output', path],
      ...[
        '--all-cpus',
        ...(sampled === null ? [] : ['--cpu', sampled.join(',')]),
        '--',
        'sh',
        '-c',
        'echo started; exec cat >/dev/null',
      ],
    ],
    { stdio: ['pipe', 'pipe', 'pipe', 'pipe', 'pipe'], env: perfEnvironment(directory) },
  );
  const said = collect(child);
  const ended = exitCodeOf(child);
  const command = commandsOf(child, ended, said);
  child.stdin.on('error', () => {});
  const end = async () => {
    child.stdin.end();
    const inTime = await withinTime(ended, endsWithinMs, null);
    if (inTime === null) child.kill('SIGKILL');
    return inTime ?? (await ended);
  };
  const discard = async () => {
    child.stdin.end();
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await ended;
    rmSync(path, { force: true });
  };
  try {
    await startOf(child, ended, said, signal);
    if (own !== null && child.pid !== undefined) await pinToCores([child.pid], own);
  } catch (error) {
    await discard();
    throw error;
  }
  return {
    path,
    resume: () => command('enable'),
    pause: () => command('disable'),
    async stop() {
      const code = await end();
      // When a disk fills up, perf reports it and still exits with 0.
      if (code !== 0 || /No space left on device|failed to write/i.test(said())) throw problemOfPerf(said());
    },
    discard,
  };
}

/** Each is done once perf has acknowledged it (perf-record(1), `--control`). */
function commandsOf(child: ChildProcess, ended: Promise<number | null>, said: () => string) {
  const [control, acknowledged] = [
    child.stdio[3] as Writable | undefined,
    child.stdio[4] as Readable | undefined,
  ];
  control?.on('error', () => {});
  return async (name: 'enable' | 'disable') => {
    const done = new Promise<'done'>((resolve) => {
      acknowledged?.once('data', () => resolve('done'));
    });
    control?.write(`${name}\n`);
    const outcome = await withinTime(Promise.race([done, ended]), startsWithinMs, null);
    if (outcome !== 'done') throw problemOfPerf(said());
  };
}

/** Its settings of the home directory do not apply, and it asks no server for symbols. */
function perfEnvironment(directory: string): NodeJS.ProcessEnv {
  return {
    ...environmentOf('program'),
    HOME: directory,
    PERF_CONFIG: '/dev/null',
    DEBUGINFOD_URLS: '',
    LC_ALL: 'C',
  };
}

/** Once the workload runs, what is sampled is being sampled. */
async function startOf(
  child: ChildProcess,
  ended: Promise<number | null>,
  said: () => string,
  signal: AbortSignal,
): Promise<void> {
  const begun = new Promise<'begun'>((resolve) => {
    child.stdout?.once('data', () => resolve('begun'));
  });
  const first = unlessAborted(signal, Promise.race([begun, ended]));
  const outcome = await withinTime(first, startsWithinMs, null);
  signal.throwIfAborted();
  if (outcome !== 'begun') throw problemOfPerf(said());
}

/** The end of what it says on stderr. */
function collect(child: ChildProcess): () => string {
  let text = '';
  child.stderr?.on('data', (chunk) => {
    text = `${text}${chunk}`.slice(-4000);
  });
  return () => text;
}

const longestMs = 120_000;

/**
 * Every sample of these processes, in the order of time. Whole cores were recorded, and finding the callers of a sample takes milliseconds: those
 * of other processes are passed over.
 * Throws perf_failed, and the reason of the signal.
 */
export async function readStacks(
  path: string,
  directory: string,
  pids: readonly number[],
  take: (sample: Sample) => void,
  signal: AbortSignal,
): Promise<void> {
  const child = startChild(
    'perf',
    // Names of what a server compiled are in a file of the user that it runs as.
    [
      ...['script', '--input', path, '--pid', pids.join(','), '--force', '--no-inline'],
      ...['--fields', 'pid,tid,time,ip,sym,dso'],
    ],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: perfEnvironment(directory),
      signal: AbortSignal.any([signal, AbortSignal.timeout(longestMs)]),
      killSignal: 'SIGKILL',
    },
  );
  const said = collect(child);
  const ended = exitCodeOf(child);
  const parser = new SampleParser();
  for await (const line of cutLines(child.stdout, longestLine)) {
    const sample = parser.push(line);
    if (sample !== null) take(sample);
  }
  const last = parser.end();
  if (last !== null) take(last);
  const code = await ended;
  signal.throwIfAborted();
  if (code !== 0) throw problemOfPerf(said());
}

const javaLongestMs = 20_000;

/**
 * Has each virtual machine of Java among the processes write the names of what it has compiled so far where perf reads them
 * (`jcmd PID Compiler.perfmap`, since JDK 17). Throws symbols_missing.
 */
export async function nameJava(pids: readonly number[], signal: AbortSignal): Promise<void> {
  for (const pid of pids) {
    const program = programOf(pid);
    if (program === null || basename(program) !== 'java') continue;
    const jcmd = join(dirname(program), 'jcmd');
    if (!existsSync(jcmd)) {
      throw problem(
        'symbols_missing',
        'jcmd was not found beside java, which names the functions that Java has compiled. Install it: apt install default-jdk-headless.',
      );
    }
    const { stdout } = await runChild(jcmd, [`${pid}`, 'Compiler.perfmap'], {
      timeout: javaLongestMs,
      signal,
    });
    if (/exception|unknown/i.test(stdout)) {
      throw problem(
        'symbols_missing',
        'This JDK cannot name the functions that it has compiled. Use JDK 17 or later.',
      );
    }
  }
}

/**
 * Recordings hold pieces of stacks, and so perhaps keys and passwords. They lie in a directory that only this user can open, and are
 * deleted once they have been read.
 */
const name = 'stack-recordings';

/** In a data directory that no other server uses. Deletes what was left there when an earlier one was killed. */
export function openPrivateDirectory(dataDirectory: string): { path: string; remove(): void } {
  sweepRecordings(dataDirectory);
  const root = join(dataDirectory, name);
  mkdirSync(root, { recursive: true, mode: 0o700 });
  const path = mkdtempSync(join(root, 'perf-'));
  return { path, remove: () => sweepRecordings(dataDirectory) };
}

export function sweepRecordings(dataDirectory: string): void {
  rmSync(join(dataDirectory, name), { recursive: true, force: true });
}

/** Why perf cannot sample here, before it is tried and after. */

/** In a sentence; null where it may sample everything on a core. @param paranoid and `pointers`, as the kernel prints them; null where it does not */
export function permissionProblem(
  userId: number,
  paranoid: string | null,
  pointers: string | null,
): string | null {
  if (paranoid === null) return 'This kernel has no performance events, so perf cannot sample it.';
  if (userId === 0) return null;
  const settings = [
    ...(Number(paranoid) > 0 ? ['kernel.perf_event_paranoid=0'] : []),
    ...(Number(pointers ?? 0) > 0 ? ['kernel.kptr_restrict=0'] : []),
  ];
  if (settings.length === 0) return null;
  return `The kernel does not let this user sample it. Permit it with: sudo sysctl ${settings.join(' ')}`;
}

/** Turns perf's messages on stderr into a problem. */
export function problemOfPerf(said: string) {
  if (/No space left on device/i.test(said)) {
    return problem('disk_full', 'There was no space left on the disk for the recording of perf.');
  }
  if (/paranoid|not permitted|permission denied|EACCES|EPERM/i.test(said)) {
    return problem(
      'perf_forbidden',
      'The kernel did not let perf sample the target. Run TLS Toll as root, or: sudo sysctl kernel.perf_event_paranoid=0',
    );
  }
  const last = said.trim().split('\n').at(-1)?.trim().slice(0, 300) ?? '';
  return problem('perf_failed', `perf could not record${last === '' ? '.' : `: ${last}`}`);
}

/** Throws perf_missing where Linux's perf is not installed, and perf_forbidden where the kernel does not let it look into itself. */
export function demandPerf(): void {
  // Ubuntu has a script of this name that fails where the package of the running kernel is missing.
  if (runChildAtOnce('perf', ['--version'], { timeout: 10_000 }).status !== 0) {
    throw problem(
      'perf_missing',
      'perf was not found. It samples where CPU time goes. Install it: apt install linux-perf (Debian), or linux-tools-generic (Ubuntu).',
    );
  }
  const paranoid = readProc('/proc/sys/kernel/perf_event_paranoid');
  const pointers = readProc('/proc/sys/kernel/kptr_restrict');
  const forbidden = permissionProblem(process.geteuid?.() ?? 0, paranoid, pointers);
  if (forbidden !== null) throw problem('perf_forbidden', forbidden);
}
