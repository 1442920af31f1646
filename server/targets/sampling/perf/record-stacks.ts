import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { samplesPerS } from '../../../../shared/kinds/explain/explain.ts';
import { unlessAborted } from '../../../base/addresses/unless-aborted.ts';
import { environmentOf, exitCodeOf, startChild } from '../../../base/process/children.ts';
import { pinToCores } from '../../../base/process/pin-to-cores.ts';
import { withinTime } from '../../../base/process/within-time.ts';
import { problemOfPerf } from './perf-problems.ts';

/**
 * Of the stack, which a sample copies to be unwound later. RSA needs it: OpenSSL's code for AVX2 keeps its tables there, and with 8 KiB its
 * callers, the nearest functions with a name, are out of reach.
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
 * Where callers are found: by the unwind tables of programs, for which a sample copies a piece of the stack, or by frame pointers, which need
 * no copy and also lead through what a runtime has compiled, but not through programs that were built without them.
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
      // Of a disk that fills up, perf says so and still ends well.
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
export function perfEnvironment(directory: string): NodeJS.ProcessEnv {
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
export function collect(child: ChildProcess): () => string {
  let text = '';
  child.stderr?.on('data', (chunk) => {
    text = `${text}${chunk}`.slice(-4000);
  });
  return () => text;
}
