import { setTimeout as pause } from 'node:timers/promises';
import { ProblemError } from '../../../../shared/base/problem.ts';
import type { ProblemCode } from '../../../../shared/base/problem-catalogue.ts';

/** What passes: a disk has space again, a PostgreSQL comes back, another server ends, a file is put back. */
const passing: readonly ProblemCode[] = [
  'disk_full',
  'database_unavailable',
  'data_directory_unusable',
  'data_directory_in_use',
  'database_gone',
];

const shortestPauseMs = 100;
const longestPauseMs = 2_000;

type Patience = {
  /** Gives up with its reason. */
  signal?: AbortSignal;
  /** Gives up after that long with what went wrong. */
  limitMs?: number;
  /** Told each time it fails, before the next attempt. */
  onProblem?(failure: ProblemError): void;
};

/** Does something with the store again until it works. What does not pass is thrown at once. */
export async function withPatience<Result>(
  act: () => Promise<Result>,
  { signal, limitMs = Number.POSITIVE_INFINITY, onProblem }: Patience = {},
): Promise<Result> {
  const since = performance.now();
  for (let pauseMs = shortestPauseMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * 2)) {
    signal?.throwIfAborted();
    try {
      return await act();
    } catch (error) {
      if (!isPassing(error) || performance.now() - since > limitMs) throw error;
      onProblem?.(error);
      await pause(pauseMs, undefined, { signal, ref: false }).catch(() => signal?.throwIfAborted());
    }
  }
}

export function isPassing(error: unknown): error is ProblemError {
  return error instanceof ProblemError && passing.includes(error.problem.code);
}
