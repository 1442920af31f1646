import { setTimeout as pause } from 'node:timers/promises';
import { ProblemError, problem } from '../../../shared/base/problem.ts';
import type { Database } from '../database/open-database.ts';
import {
  type Assignment,
  beatRunner,
  giveBack,
  leaveRunner,
  listAssignments,
  listRunnerRows,
  type NewRunner,
  registerRunner,
  removeRunner,
  takeFrom,
  takeNext,
  type Wish,
} from '../database/runners.ts';
import type { Given } from './create.ts';
import { loadStopped } from './dispatch.ts';
import { isPassing, withPatience } from './event-log.ts';
import { beatMs, leaseMs } from './mirrors.ts';

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

/**
 * Takes the name of a runner. One that was stopped gives it up at once, one that was killed when its beat has stood still for the
 * length of a lease. Throws runner_name_taken where another one beats under it, and the reason of the signal.
 */
async function join(
  database: Database,
  runner: NewRunner,
  { signal, onProblem }: { signal: AbortSignal; onProblem?(failure: ProblemError): void },
): Promise<void> {
  const patience = { signal, ...(onProblem === undefined ? {} : { onProblem }) };
  const find = async () =>
    (await withPatience(() => listRunnerRows(database), patience)).find(({ name }) => name === runner.name);
  const take = (from: string | null) =>
    withPatience(() => registerRunner(database, runner, from, Date.now()), patience);

  const first = await find();
  if (first === undefined || first.leftAt !== null) {
    if (await take(first?.session ?? null)) return;
    throw taken(runner.name);
  }
  for (let waited = 0; waited < leaseMs; waited += beatMs) {
    await pause(beatMs, undefined, { signal });
    const now = await find();
    if (now === undefined || now.leftAt !== null) break;
    if (now.session !== first.session || now.beat !== first.beat) throw taken(runner.name);
  }
  if (!(await take((await find())?.session ?? null))) throw taken(runner.name);
}

function taken(name: string): ProblemError {
  return problem('runner_name_taken', `Another runner already has the name ${name}.`);
}

type Parts<House> = Pick<Given<House>, 'database' | 'queue' | 'lives'> & { runner: NewRunner };

const missedMs = 2 * beatMs;

/** Returns what a runner does about all that the database says it has: wishes are fulfilled, and what was lost is ended or given back. */
function openHeeding<House>({
  database,
  queue,
  lives,
  runner,
}: Parts<House>): (held: readonly Assignment[]) => Promise<void> {
  /** Measurements that the database assigns to this runner but that are missing here, and since when. */
  const missing = new Map<string, number>();

  /** The answer of the database that brought it was lost: another one is to take it, unless it comes late. */
  async function missHere({ id, labels }: Assignment): Promise<void> {
    const now = performance.now();
    const since = missing.get(id) ?? now;
    missing.set(id, since);
    if (now - since < missedMs) return;
    missing.delete(id);
    const record = await takeFrom(database, id, runner.session, runner.session);
    if (record !== null) await giveBack(database, record, { ...runner, labels });
  }

  function fulfil(id: string, wish: Wish): void {
    const why = wish === 'stop' ? loadStopped() : problem('run_cancelled', 'It was canceled.');
    if (wish === 'discard') lives.of(id)?.discard();
    if (lives.endWaiting(id, why) === null) queue.abort(id, why);
  }

  return async function heed(held) {
    for (const each of held) {
      const life = lives.of(each.id);
      if (life === undefined) await missHere(each);
      else {
        missing.delete(each.id);
        if (each.wish !== null && life.ended() === null) fulfil(each.id, each.wish);
      }
    }
    const { running } = queue.status();
    if (running !== null && lives.of(running)?.ended() === null && !held.some(({ id }) => id === running)) {
      queue.abort(running, problem('claim_lost', 'Another runner has taken this run.'));
    }
  };
}
