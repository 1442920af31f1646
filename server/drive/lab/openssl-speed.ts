import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { SpeedOperation, Timed } from '../../../shared/kinds/speed/speed.ts';
import { environmentOf, exitCodeOf, runChild, startChild } from '../../base/process/children.ts';

/** The reference: the `openssl` program of this machine, measuring the same primitive by its own `speed`. */

const versionMs = 5000;

/** Version line of the program: `OpenSSL 3.0.19 27 Jan 2026`; null without the program. */
export async function findOpenssl(): Promise<string | null> {
  try {
    const { stdout } = await runChild('openssl', ['version'], {
      timeout: versionMs,
      env: environmentOf('openssl'),
    });
    return stdout.trim().split(' (Library:', 1).join('');
  } catch {
    return null;
  }
}

type OpensslMeasurement = { timed: Timed[]; complaint: string | null };

type OpensslTask = {
  /** Arguments of `openssl speed` for the primitive. */
  reference: readonly string[];
  bytes: number | null;
  operations: readonly SpeedOperation[];
  sliceMs: number;
  signal: AbortSignal;
};

/** The program measures in whole seconds. It counts until SIGALRM, which its own timer sends after one; ours is earlier. */
const wholeSecond = ['-seconds', '1'];
const graceMs = 5000;
/** Step of the clock that the program reads. */
const tickS = 0.01;

/** Resolves with what was measured until it ended, by itself or by the signal. */
export function measureWithOpenssl(task: OpensslTask): Promise<OpensslMeasurement> {
  const size = task.bytes === null ? [] : ['-bytes', String(task.bytes)];
  const child = startChild('openssl', ['speed', '-mr', ...wholeSecond, ...size, ...task.reference], {
    env: environmentOf('openssl'),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const timed: Timed[] = [];
  const others: string[] = [];
  const wanted = new Set(task.operations);
  let began = clockOf(child.pid);
  let alarm: NodeJS.Timeout | undefined;

  createInterface({ input: child.stderr }).on('line', (line) => {
    const now = clockOf(child.pid);
    if (isOpensslStart(line)) {
      began = now;
      alarm = setTimeout(() => child.kill('SIGALRM'), task.sliceMs);
      return;
    }
    const result = readOpensslResult(line, task.operations[0] ?? 'digest');
    if (result === null) {
      others.push(line);
      return;
    }
    clearTimeout(alarm);
    timed.push({
      operation: result.operation,
      calls: result.calls,
      cpuUs: 1e6 * cpuS(result, began, now),
    });
    wanted.delete(result.operation);
    if (wanted.size === 0) child.kill('SIGKILL');
  });
  return ended(child, task).then(() => {
    clearTimeout(alarm);
    return {
      timed,
      complaint: timed.length > 0 ? null : (opensslComplaint(others) ?? 'it printed no result'),
    };
  });
}

/**
 * Seconds in which the program could run. It never sleeps while it counts, so what the wall clock shows less what it waited
 * for a core is its CPU time, and finer than the clock that it reads itself. Null where the kernel does not tell.
 */
function clockOf(pid: number | undefined): number | null {
  try {
    const [, waitedNs] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ');
    return performance.now() / 1e3 - Number(waitedNs) / 1e9;
  } catch {
    return null;
  }
}

/** The finer clock counts as far as the program's own bears it out: whoever hears late of a beginning hears too little. */
function cpuS({ ownS }: OpensslResult, began: number | null, now: number | null): number {
  const finer = began === null || now === null ? ownS : now - began;
  return Math.min(Math.max(finer, ownS - tickS, ownS / 2, tickS / 10), ownS + tickS);
}

function ended(child: ChildProcess, { operations, signal }: OpensslTask): Promise<unknown> {
  const kill = () => child.kill('SIGKILL');
  const timer = setTimeout(kill, 1000 * operations.length + graceMs);
  signal.addEventListener('abort', kill, { once: true });
  if (signal.aborted) kill();
  return exitCodeOf(child).finally(() => {
    clearTimeout(timer);
    signal.removeEventListener('abort', kill);
  });
}

/** One result line of `openssl speed -mr`: so many operations in so much of its own time, in ticks of 10 ms. */
type OpensslResult = { operation: SpeedOperation; calls: number; ownS: number };

/**
 * Results are told apart by a number after `+R`, which no manual lists. The plain `+R` is of a digest or a cipher.
 * Source: OpenSSL, apps/speed.c; up to 14 from version 3.0, from 15 on from version 3.2.
 */
const operationOf: Record<string, SpeedOperation> = {
  ...numbered('sign', [1, 5, 8, 19]),
  ...numbered('verify', [2, 6, 9, 20]),
  ...numbered('agree', [7, 12]),
  ...numbered('generate', [15]),
  ...numbered('encapsulate', [16]),
  ...numbered('decapsulate', [17]),
};

function numbered(operation: SpeedOperation, numbers: number[]): Record<string, SpeedOperation> {
  return Object.fromEntries(numbers.map((number) => [`${number}`, operation]));
}

/** Null for any other line, and for a result of nothing. */
export function readOpensslResult(line: string, bulk: SpeedOperation): OpensslResult | null {
  const match = /^\+R(\d*):(\d+):(?:.*:)?(\d+(?:\.\d+)?)$/.exec(line.trim());
  if (match === null) return null;
  const [, number = '', calls, seconds] = match;
  const operation = number === '' ? bulk : operationOf[number];
  if (operation === undefined || Number(calls) === 0) return null;
  return { operation, calls: Number(calls), ownS: Number(seconds) };
}

/** It begins to measure now, until its alarm. */
export function isOpensslStart(line: string): boolean {
  return /^\+DT/.test(line);
}

/** The program's complaint about an algorithm, without its name, thread and source file. */
export function opensslComplaint(lines: readonly string[]): string | null {
  const line = lines.find((each) => each !== '' && !each.startsWith('+'));
  if (line === undefined) return null;
  const [, reason] = /:error:[^:]*:[^:]*:[^:]*:([^:]*):/.exec(line) ?? [];
  return reason ?? line.replace(/^speed: /, '');
}
