import { setTimeout as pause } from 'node:timers/promises';
import { ProblemError, problem } from '../../../shared/base/problem.ts';
import type { ResultPair } from '../../../shared/kinds/comparison/result-changes.ts';
import type {
  AnnotationChange,
  ListChoices,
  ShownAnnotation,
} from '../../../shared/measurement/annotation.ts';
import type { CreatedMeasurement } from '../../../shared/measurement/measurement.ts';
import type { Labels, RunnerList } from '../../../shared/measurement/runner.ts';
import type { Binned } from '../../../shared/results/schedule.ts';
import type { MeasurementSummary } from '../../../shared/results/summary.ts';
import type { Asker } from '../../../shared/team/audit.ts';
import type { AnyDocument, Changes, Frame } from '../../kinds/kind.ts';
import type { ToldEvent } from '../../kinds/told-event.ts';
import type { Attempt, ListFilter, PageQuery } from '../database/list-measurements.ts';
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
import type { Batches } from './batches.ts';
import type { Given } from './create.ts';
import { isPassing, type Listener, withPatience } from './event-log.ts';
import { beatMs, leaseMs } from './mirrors.ts';
import { loadStopped, type MachineQueue, type Origin } from './origin.ts';
import type { Said } from './summaries.ts';

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
  /** What is said to be measured here and is not, since when. */
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
      queue.abort(running, problem('claim_lost', 'Another runner has taken this measurement.'));
    }
  };
}

/** Everything that the edges (routes, command line) can ask of measurements, of whatever kind. */
export type Measurements = {
  /**
   * Queues one. The same idempotency key with the same request returns what it made before. Throws invalid_request, and
   * what its kind says against it.
   * @param body the request, and beside it `secrets`, which are kept in memory until it has ended, and the `annotation`
   * @param from this machine when left out
   */
  create(
    kind: string,
    body: object,
    idempotencyKey: string | null,
    from?: Origin,
  ): Promise<CreatedMeasurement>;
  /** Those that several runners measure at once. */
  batches: Batches;
  list(filter: ListFilter): Promise<{ summaries: MeasurementSummary[]; nextCursor: string | null }>;
  /**
   * Those of one request, whoever asked for it, the newest first, with those in the bin. Throws invalid_request.
   * @param body the request alone
   */
  ofRequest(kind: string, body: object): Promise<AttemptAt[]>;
  /** What the list can be filtered by. */
  choices(): Promise<ListChoices>;
  /** Its line of the list. Throws run_not_found, run_deleted, run_binned, as whatever reads one does. */
  summary(id: string): Promise<MeasurementSummary>;
  /** What people wrote on it. */
  annotation(id: string): Promise<ShownAnnotation>;
  /** Returns the annotation after the change. The document does not change. */
  annotate(id: string, change: AnnotationChange): Promise<ShownAnnotation>;
  /** Returns at once; it ends soon after, and its log with `end`. Discarding leaves a tombstone. Throws run_over. */
  cancel(id: string, keep: boolean): Promise<MeasurementSummary>;
  /** Ends what waits, goes on, or is being made, and recordings, checks and probes, here and on all runners; returns how many waited or went on. */
  stop(): Promise<number>;
  /** Queues one again that ended early: it goes on where it was, as that of whoever asks. Throws not_resumable. */
  resume(id: string, by?: Asker): Promise<MeasurementSummary>;
  /** Moves it to the bin. Throws wrong_delete_token, run_unfinished. */
  bin(id: string, deleteToken: string): Promise<void>;
  /** Most recently deleted first. */
  listBin(filter: PageQuery): Promise<{ binned: Binned[]; nextCursor: string | null }>;
  /** Takes it out of the bin; one that is not in the bin stays as it is. Throws wrong_delete_token. */
  restore(id: string, deleteToken: string): Promise<MeasurementSummary>;
  /** Removes it for good, in the bin or not; a tombstone stays. Throws wrong_delete_token, run_unfinished. */
  remove(id: string, deleteToken: string): Promise<void>;
  /** The document as JSON text. Throws run_newer. */
  readDocument(id: string): Promise<DocumentText>;
  /** What its page shows of it, in the same form. Throws as above. */
  readShown(id: string): Promise<DocumentText>;
  /** Resolves when there is one that can be read. Throws as above. */
  demandReadable(id: string): Promise<void>;
  /** The document as its kind prints it. */
  print(id: string, format: PrintFormat): Promise<{ content: string | Uint8Array; final: boolean }>;
  /** As above, parsed, and what its kind says of it. */
  document(id: string): Promise<{ kind: string; document: AnyDocument; final: boolean } & Said>;
  /**
   * What changed between two finished results of one kind. Throws run_not_found, run_deleted, run_binned, run_newer,
   * run_unfinished, results_not_comparable.
   */
  changes(pair: ResultPair): Promise<Changes>;
  /** What was noted of it, and how to read what was kept, now or when it ended. */
  kept(id: string): Promise<KeptOf>;
  /** What it was asked for with, to ask for it again. */
  asked(id: string): Promise<Asked>;
  /** Makes ready to follow one that another process measures. */
  mirror(id: string): Promise<void>;
  /** Replays what came after an id and goes on live; null when it is over. Returns a function that stops it. */
  follow(id: string, afterId: number, listener: Listener): (() => void) | null;
  /** What the log of one that is over says after an id; with its end, whatever became of the log. */
  events(id: string, afterId: number): Promise<ToldEvent[]>;
  status(): ReturnType<MachineQueue['status']>;
  /** Who measures, and what waits for somebody who could. */
  runners(): Promise<Omit<RunnerList, 'generators'>>;
  /** Throws runners_off, runner_unknown, runner_outdated where no runner has the labels. */
  demandRunner(labels: Labels): Promise<void>;
  /** What measures here for several dashboards; null where nothing does. */
  runner: Pick<Runner, 'joined' | 'replaced'> | null;
  /** Interrupts what is running and waits until that is stored. */
  close(): Promise<void>;
};

/** `resumes` where it goes on where it was. */
export type AttemptAt = Attempt & { url: string; resumes: boolean };

/** `packed` is the same in Brotli, where it is stored so. `text` throws database_damaged. */
export type DocumentText = { text: () => Promise<string>; packed: Uint8Array | null; final: boolean };

export type PrintFormat = 'csv' | 'jsonl' | 'parquet' | 'md';

type Asked = {
  kind: string;
  request: unknown;
  /** The same for the same request. */
  requestHash: string;
  /** Names of those without whose values it cannot be measured. */
  secrets: string[];
  /** The generated one. */
  title: string;
  tags: string[];
  /** That its runner had to have. */
  labels: Labels;
};

export type KeptOf = {
  kind: string;
  frame: Frame<unknown>;
  facts: unknown;
  /** Those of one place, in their order: there may be tens of thousands, and reading each takes its time. */
  blocks(place: number): Promise<unknown[]>;
};
