import { ProblemError, problem } from '../../../../shared/base/problem.ts';
import { listAssignments, takeNext } from '../../database/assignments.ts';
import { beatRunner, leaveRunner, type NewRunner, removeRunner } from '../../database/runners.ts';
import type { Given } from '../given.ts';
import { isPassing } from '../run/with-patience.ts';
import { openHeeding } from './heed-assignments.ts';
import { join } from './join.ts';
import { beatMs } from './leases.ts';

/** Measures here what waits in the database, one at a time. */
export type Runner = {
  /** Resolves when it takes measurements. Rejects with runner_name_taken. */
  joined: Promise<void>;
  /** Resolves with why it takes none any more, though nobody closed it. */
  replaced: Promise<ProblemError>;
  /** Takes nothing more. What it measures is to be ended before `left`. */
  close(): Promise<void>;
  /** Gives up its name. */
  leave(): Promise<void>;
};

type RunnerParts<House> = Pick<Given<House>, 'database' | 'queue' | 'lives' | 'onError'> & {
  runner: NewRunner;
  /** Whether it takes from the queue. */
  takes: boolean;
  onProblem?(failure: ProblemError): void;
};

export function openRunner<House>(parts: RunnerParts<House>): Runner {
  const { database, queue, lives, runner, takes, onProblem, onError } = parts;
  const { session } = runner;
  const closing = new AbortController();
  const replaced = Promise.withResolvers<ProblemError>();
  let hasJoined = false;
  let looking: Promise<void> | null = null;
  let again = false;
  const heed = openHeeding(parts);

  async function look(): Promise<void> {
    if (!(await beatRunner(database, session, Date.now()))) return stopReplaced();
    await heed((await listAssignments(database)).filter((each) => each.session === session));
    while (takes && isFree() && !closing.signal.aborted) {
      const record = await takeNext(database, session, runner);
      if (record === null) return;
      await lives.take(record);
    }
  }

  function isFree(): boolean {
    const { running, queued } = queue.status();
    return running === null && queued === 0;
  }

  function stopReplaced(): void {
    closing.abort();
    replaced.resolve(problem('runner_name_taken', `Another runner took the name ${runner.name}.`));
  }

  /** One look at a time; what wakes it meanwhile makes it look once more. */
  function wake(): void {
    if (!hasJoined || closing.signal.aborted) return;
    again = true;
    looking ??= lookUntilQuiet().finally(() => {
      looking = null;
    });
  }

  async function lookUntilQuiet(): Promise<void> {
    while (again) {
      again = false;
      await look().catch((error: unknown) => {
        if (!isPassing(error)) return onError(error);
        if (error instanceof ProblemError) onProblem?.(error);
      });
    }
  }

  const failure = onProblem === undefined ? {} : { onProblem };
  const joined = join(database, runner, { signal: closing.signal, ...failure }).then(() => {
    hasJoined = true;
    wake();
  });
  // Some callers do not await it: they hear of it by `onError`.
  joined.catch((error: unknown) => {
    if (!closing.signal.aborted) onError(error);
  });
  const timer = setInterval(wake, beatMs);
  const unlisten = database.shared?.signals.listen(({ about }) => {
    if (about !== 'events' && about !== 'progress') wake();
  });
  queue.onFree(wake);
  return {
    joined,
    replaced: replaced.promise,
    async close() {
      closing.abort();
      clearInterval(timer);
      unlisten?.();
      await looking;
    },
    async leave() {
      const left = takes ? leaveRunner(database, session, Date.now()) : removeRunner(database, session);
      await left.catch(() => {});
    },
  };
}
