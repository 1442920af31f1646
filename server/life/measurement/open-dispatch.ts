import type { Environment } from '../../../shared/base/environment.ts';
import { type ProblemError, problem } from '../../../shared/base/problem.ts';
import { type Runner as DispatchRunner, isOlder, type Labels } from '../../../shared/measurement/runner.ts';
import { hasLabels, isHere, printLabels } from '../../../shared/measurement/runner-labels.ts';
import { signal } from '../database/events.ts';
import type { Enroll } from '../database/insert-measurement.ts';
import type { Database } from '../database/open-database.ts';
import {
  type Assignment,
  assign,
  forgetRunners,
  giveBack,
  listAssignments,
  listRunnerRows,
  type NewRunner,
  type RunnerRow,
  takeFrom,
  type Wish,
  wishFor,
} from '../database/runners.ts';
import { type Given, lookAgain, secretsLost, serverStopped } from './create.ts';
import { type Dispatch, loadStopped } from './dispatch.ts';
import type { EventLog } from './event-log.ts';
import type { Lives } from './life.ts';
import { type MachineQueue, queueFull, queueLimit } from './machine-queue.ts';
import { beatMs, type Leases, openLeases, openMirrors } from './mirrors.ts';
import { openRunner, type Runner } from './open-runner.ts';
import { newPermalinkId } from './tokens.ts';

/** Role of a process on a database that several share. */
export type Self = Omit<NewRunner, 'session' | 'machine'> & {
  /** Whether it is a runner. `own` measures what was asked of itself, and takes nothing from the queue. */
  measures: boolean | 'own';
};

/** A process that has its database alone. */
const nobody: Self = { name: 'nobody', labels: {}, version: '0.0.0', measures: false };

/** Null where others measure, or there are none. */
export function runnerOf(database: Database, self: Self = nobody): Pick<NewRunner, 'name' | 'labels'> | null {
  const { name, labels, measures } = self;
  return database.shared === null || measures === false ? null : { name, labels };
}

type Parts<House> = Omit<SharedParts<House>, 'self'> & {
  self: Self | undefined;
  machine: Environment;
  onProblem?: ((problem: ProblemError) => void) | undefined;
};

/** Queue of this database's measurements, and the runner that measures them here, if any. */
export function openDispatch<House>({ self = nobody, machine, onProblem, ...parts }: Parts<House>): {
  dispatch: Dispatch;
  runner: Runner | null;
} {
  const { database, queue, log, lives } = parts;
  if (database.shared === null) return { dispatch: openInProcessDispatch(lives, queue, log), runner: null };
  const { name, labels, version, measures } = self;
  const takes = measures === true;
  const runner = { name, labels, version, machine, session: newPermalinkId() };
  return {
    dispatch: openSharedDispatch({
      ...parts,
      self: { session: runner.session, version, labels: measures === false ? null : labels, takes },
    }),
    runner:
      measures === false ? null : openRunner({ ...parts, runner, takes, ...(onProblem && { onProblem }) }),
  };
}

/** The embedded default: what waits is in memory, and this process measures it. */
function openInProcessDispatch<House>(lives: Lives<House>, queue: MachineQueue, log: EventLog): Dispatch {
  /** Stored, with secrets that only whoever made it has, and about to begin. */
  const enrolled = new Set<string>();

  async function demandRunner(labels: Labels): Promise<void> {
    if (Object.keys(labels).length === 0) return;
    throw problem('runners_off', 'Labels choose a runner, and this server has none.');
  }

  return {
    async demandRoom(sites) {
      for (const labels of sites) await demandRunner(labels);
      queue.demandRoom();
    },
    demandRunner,
    enroll: (id) => async () => void enrolled.add(id),
    begin(record, ...asked) {
      lives.begin(record, ...asked);
      enrolled.delete(record.id);
    },
    withdraw: (id) => void enrolled.delete(id),
    async beginAgain(id, stopped) {
      enrolled.delete(id);
      await lives.takeUp(enrolled, stopped);
    },
    takeUp: () => lives.takeUp(enrolled),
    ask: async () => false,
    askAll: async () => 0,
    async placesOf(ids) {
      const places = ids.map((id) => [id, queue.placeOf(id)] as const);
      return new Map(places.flatMap(([id, place]) => (place === null ? [] : [[id, place]])));
    },
    mirror: async () => {},
    follow: log.follow,
    progressOf: () => null,
    runners: async () => null,
    close: async () => {},
  };
}

type SharedParts<House> = { self: OwnSession } & Pick<
  Given<House>,
  'database' | 'queue' | 'stopSwitch' | 'log' | 'lives' | 'kindOf' | 'onError'
>;

/** Measurements wait in the database, and whichever runner fits takes them. */
function openSharedDispatch<House>(parts: SharedParts<House>): Dispatch {
  const { database, queue, stopSwitch, log, lives, self, onError } = parts;
  const { session, version } = self;
  const others = { database, lives, session };
  const leases = openLeases();
  /** To be measured by this process, until they begin. */
  const own = new Set<string>();
  const placesOf = (ids: readonly string[]) => findPlaces(database, ids);
  const isHere = (id: string) => lives.of(id) !== undefined;
  const mirrors = openMirrors({ database, log, isHere, placesOf });

  /** Stored as this process's own where only it has what the measurement needs, or where it takes nothing from the queue. */
  function enroll(id: string, labels: Labels, here: boolean): Enroll {
    const isOwn = here || (!self.takes && self.labels !== null && Object.keys(labels).length === 0);
    if (isOwn) own.add(id);
    return (transaction) => assign(database, transaction, id, { version, labels }, isOwn ? session : null);
  }

  // Another dashboard stops all load.
  const unlisten = database.shared?.signals.listen(({ about, id }) => {
    if (about !== 'stop' || id === session) return;
    stopSwitch.press();
    queue.abortRunning(loadStopped());
  });
  // A database that is away is asked again.
  const looking = lookAgain(
    beatMs,
    () => {},
    () => lookForLost({ ...parts, leases }),
  );

  return {
    demandRoom: (sites, here) => demandRoom(database, self, sites, here),
    demandRunner: (labels) => demandSomebody(database, self, labels),
    enroll,
    begin(record, secrets, stopped) {
      if (own.delete(record.id)) return lives.begin(record, secrets, stopped);
      if (stopped.aborted) askOther(others, record.id, 'stop').catch(onError);
    },
    withdraw: (id) => void own.delete(id),
    async beginAgain(id, stopped) {
      if (stopped.aborted) return void (await askOther(others, id, 'stop'));
      if (!own.delete(id)) return;
      const record = await takeFrom(database, id, session, session);
      if (record !== null) await lives.take(record, stopped);
    },
    takeUp: looking.now,
    ask: (id, wish) => askOther(others, id, wish),
    askAll: () => askAllOthers(others),
    placesOf,
    mirror: mirrors.open,
    follow: (id, afterId, listener) => log.follow(id, afterId, listener, mirrors.greetingOf(id)),
    progressOf: mirrors.progressOf,
    runners: () => showRunners(database, leases),
    async close() {
      unlisten?.();
      mirrors.close();
      await looking.stop();
    },
  };
}

/** 1 is next. */
async function findPlaces(database: Database, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map();
  const waiting = (await listAssignments(database)).filter(({ state }) => state === 'queued');
  return new Map(waiting.map(({ id }, index) => [id, index + 1]));
}

/** Who measures what, and what waits for somebody who is not here. */
async function showRunners(database: Database, leases: Leases): ReturnType<Dispatch['runners']> {
  const [rows, assignments] = await Promise.all([listRunnerRows(database), listAssignments(database)]);
  const now = performance.now();
  const runners = rows.map((row) => {
    const busy = assignments.find((each) => each.session === row.session)?.id ?? null;
    return showRunner(row, busy, leases.hasLapsed(row.session, now));
  });
  const here = runners.filter(isHere);
  const waiting = assignments.filter(({ state, session }) => state === 'queued' && session === null);
  const stranded = waiting.filter((each) => !here.some((runner) => hasLabels(runner.labels, each.labels)));
  return { runners, stranded: stranded.map(({ id, labels }) => ({ id, labels })) };
}

function showRunner(
  { name, labels, version, machine, seenAt, leftAt }: RunnerRow,
  busy: string | null,
  lost: boolean,
) {
  const { runner: _, product: __, sharedMachine: ___, ...rest } = machine;
  return { name, labels, version, machine: rest, state: stateOfRunner(leftAt, lost, busy), seenAt, busy };
}

function stateOfRunner(leftAt: number | null, lost: boolean, busy: string | null): DispatchRunner['state'] {
  if (leftAt !== null) return 'left';
  if (lost) return 'lost';
  return busy === null ? 'idle' : 'busy';
}

/** `session` is that of this process. */
type DispatchParts<House> = Pick<Given<House>, 'database' | 'lives'> & { session: string };

/** Asks whoever has a measurement to end it; one that nobody has ends here. False when there is none. */
async function askOther<House>(parts: DispatchParts<House>, id: string, wish: Wish): Promise<boolean> {
  await wishFor(parts.database, id, wish);
  const found = (await listAssignments(parts.database)).find((each) => each.id === id);
  if (found === undefined) return false;
  if (found.state === 'queued' && found.session === null) await endWaiting(parts, found, wish);
  return true;
}

/** Asks all others to stop, and ends what waits; returns how much that was. */
async function askAllOthers<House>(parts: DispatchParts<House>): Promise<number> {
  const { database, lives, session } = parts;
  await signal(database, database.queries, { about: 'stop', id: session });
  const others = (await listAssignments(database)).filter(({ id }) => lives.of(id) === undefined);
  for (const each of others) {
    await wishFor(database, each.id, 'stop');
    if (each.session === null) await endWaiting(parts, each, 'stop');
  }
  return others.length;
}

/** This process takes it out of the queue itself, if no runner has it yet. */
async function endWaiting<House>(
  { database, lives, session }: DispatchParts<House>,
  { id }: Assignment,
  wish: Wish,
): Promise<void> {
  const record = await takeFrom(database, id, null, session);
  if (record === null) return;
  const canceled = () => problem('run_cancelled', 'It was canceled before it started.');
  const why = wish === 'stop' ? loadStopped() : canceled();
  await lives.endTaken(record, 'incomplete', why, wish === 'discard');
}

type LostParts<House> = Pick<Given<House>, 'database' | 'lives' | 'kindOf' | 'onError'> & {
  leases: Leases;
  self: OwnSession;
};

/** Runners that have been silent for this long are forgotten. */
const knownMs = 24 * 3600_000;

/** Takes what runners have that do not beat any more, and forgets runners that are long gone. */
async function lookForLost<House>(parts: LostParts<House>): Promise<void> {
  const { database, leases, self, onError } = parts;
  const [rows, assignments] = await Promise.all([listRunnerRows(database), listAssignments(database)]);
  const now = performance.now();
  const beats = rows.map((row) => [row.session, row.leftAt === null ? row.beat : 'left'] as const);
  leases.observe(
    new Map(beats),
    assignments.flatMap((each) => each.session ?? []),
    now,
  );
  for (const each of assignments) {
    const lost =
      each.session !== null && each.session !== self.session && leases.hasLapsed(each.session, now);
    if (!lost || !isKnown(parts, each.kind)) continue;
    const runner = rows.find((row) => row.session === each.session)?.name ?? null;
    await rescue({ ...parts, ...self }, each, runner).catch(onError);
  }
  await forgetLong(
    database,
    rows.filter((row) => leases.hasLapsed(row.session, now)),
  );
}

/** A process of a later version may be the only one that knows it. */
function isKnown<House>({ kindOf }: LostParts<House>, kind: string): boolean {
  try {
    return kindOf(kind).name === kind;
  } catch {
    return false;
  }
}

/** Forgets runners that no longer beat. The date alone proves nothing, because clocks of machines need not agree. */
async function forgetLong(database: Database, silent: readonly RunnerRow[]): Promise<void> {
  const gone = silent.filter(({ seenAt }) => seenAt < Date.now() - knownMs);
  const sessions = gone.map(({ session }) => session);
  if (sessions.length > 0) await forgetRunners(database, sessions);
}

/** Most times that a measurement is taken up. One that crashes each runner that has it would otherwise crash them all. */
const mostTaken = 3;

/** `session` and `version` are those of this process. */
type RescueParts<House> = Pick<Given<House>, 'database' | 'lives' | 'kindOf'> & {
  session: string;
  version: string;
};

/**
 * Takes a measurement from a runner that was lost. One that waited, and one of a kind that can go on, wait for the next runner;
 * any other is interrupted, with everything that was finished.
 *
 * @param runner its name; null where nobody knows it any more
 */
async function rescue<House>(
  { database, lives, kindOf, session, version }: RescueParts<House>,
  { id, kind: name, session: from, state, labels, taken }: Assignment,
  runner: string | null,
): Promise<void> {
  // Before it is taken: a process of a later version may be the only one that knows it.
  const kind = kindOf(name);
  const record = await takeFrom(database, id, from, session);
  if (record === null) return;
  const secrets = kind.secretsOf(
    kind.requestSchema.parse(record.request),
    kind.factsSchema.parse(record.facts),
  );
  const canGoOn = state === 'queued' || (kind.resumable === true && taken < mostTaken);
  if (canGoOn && secrets.length === 0) return giveBack(database, record, { version, labels });
  const lost = state === 'queued' ? secretsLost(secrets) : runnerLost(runner);
  await lives.endTaken(record, 'interrupted', lost);
}

function runnerLost(name: string | null): ProblemError {
  if (name === null) return serverStopped();
  return problem('run_interrupted', `The runner ${name} stopped answering while it was measuring.`);
}

/** This process among others: its labels are null where it does not measure; `takes` is whether it does so for others. */
type OwnSession = { session: string; version: string; labels: Labels | null; takes: boolean };

/**
 * Throws queue_full, and as `demandSomebody`.
 * @param sites the labels of each measurement that is to be queued
 * @param here whether they need what only this process has
 */
async function demandRoom(
  database: Database,
  self: OwnSession,
  sites: readonly Labels[],
  here = false,
): Promise<void> {
  const assignments = await listAssignments(database);
  const room = queueLimit - assignments.filter(({ state }) => state === 'queued').length;
  if (room < sites.length) throw queueFull(room);
  for (const labels of sites) {
    if (here) demandSelf(self, labels);
    else await demandSomebody(database, self, labels);
  }
}

/** Throws runner_unknown, runner_outdated where neither this process nor a runner could measure it. */
async function demandSomebody(database: Database, self: OwnSession, labels: Labels): Promise<void> {
  if (isFit(self, labels)) return;
  demandRunner(await listRunnerRows(database), labels, self.version);
}

function demandSelf(self: OwnSession, labels: Labels): void {
  if (isFit(self, labels)) return;
  throw problem(
    'runner_unknown',
    'The values of its secrets stay in the memory of this dashboard, and this dashboard cannot measure it.',
  );
}

function isFit(self: OwnSession, labels: Labels): boolean {
  return self.labels !== null && hasLabels(self.labels, labels);
}

type Known = { name: string; labels: Labels; version: string };

/**
 * Throws runner_unknown and runner_outdated where no runner could measure for a dashboard of this version. One that is away
 * may come back: it was there within a day.
 */
export function demandRunner(runners: readonly Known[], labels: Labels, version: string): void {
  const fitting = runners.filter((runner) => hasLabels(runner.labels, labels));
  if (fitting.some((runner) => !isOlder(runner.version, version))) return;
  const [older] = fitting;
  if (older !== undefined) {
    throw problem(
      'runner_outdated',
      `The runner ${older.name} has version ${older.version}, and this dashboard has ${version}.`,
    );
  }
  if (runners.length === 0)
    throw problem('runner_unknown', 'No runner is connected, and this dashboard does not measure.');
  const list = runners.map((each) => `${each.name} (${printLabels(each.labels) || 'no labels'})`).join(', ');
  throw problem('runner_unknown', `No runner has ${printLabels(labels)}. The runners are ${list}.`);
}
