import { problem } from '../../../../shared/base/problem.ts';
import type { Labels, Runner } from '../../../../shared/measurement/runner.ts';
import { hasLabels, isHere } from '../../../../shared/measurement/runner-labels.ts';
import type { AnyKind } from '../../../kinds/kind.ts';
import {
  type Assignment,
  assign,
  findLabels,
  listAssignments,
  takeFrom,
  type Wish,
  wishFor,
} from '../../database/assignments.ts';
import type { Enroll } from '../../database/insert-measurement.ts';
import type { Database } from '../../database/open-database.ts';
import { forgetRunners, listRunnerRows, type RunnerRow } from '../../database/runners.ts';
import { signal } from '../../database/signal.ts';
import type { Dispatch } from '../dispatch.ts';
import type { EventLog } from '../event-log.ts';
import type { Lives } from '../lives.ts';
import { type MachineQueue, queueFull, queueLimit } from '../machine-queue.ts';
import { loadStopped, type StopSwitch } from '../stop-switch.ts';
import { demandRunner } from './demand-runner.ts';
import { beatMs, openLeases } from './leases.ts';
import { openMirrors } from './open-mirrors.ts';
import { rescue } from './rescue.ts';

export type SharedParts<House> = {
  database: Database;
  queue: MachineQueue;
  stopSwitch: StopSwitch;
  log: EventLog;
  lives: Lives<House>;
  kindOf(name: string): AnyKind<House>;
  /** Of this process: its labels are null where it does not measure; `takes` is whether it does so for others. */
  self: { session: string; version: string; labels: Labels | null; takes: boolean };
  onFault(error: unknown): void;
};

/** Runners that have been silent for this long are forgotten. */
const knownMs = 24 * 3600_000;

/** Measurements wait in the database, and whichever runner fits takes them. */
export function openSharedDispatch<House>(parts: SharedParts<House>): Dispatch {
  const { database, queue, stopSwitch, log, lives, self, onFault } = parts;
  const { session, version } = self;
  const leases = openLeases();
  /** To be measured by this process, until they begin. */
  const own = new Set<string>();
  const isOurs = (id: string) => lives.of(id) !== undefined;
  const mirrors = openMirrors({ database, log, isHere: isOurs, placesOf });

  async function placesOf(ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    if (ids.length === 0) return new Map();
    const waiting = (await listAssignments(database)).filter(({ state }) => state === 'queued');
    return new Map(waiting.map(({ id }, index) => [id, index + 1]));
  }

  async function demandRoom(sites: readonly Labels[], here = false): Promise<void> {
    const assignments = await listAssignments(database);
    const room = queueLimit - assignments.filter(({ state }) => state === 'queued').length;
    if (room < sites.length) throw queueFull(room);
    for (const labels of sites) await (here ? demandSelf(labels) : demandAny(labels));
  }

  async function demandSelf(labels: Labels): Promise<void> {
    if (self.labels !== null && hasLabels(self.labels, labels)) return;
    throw problem(
      'runner_unknown',
      'The values of its secrets stay in the memory of this dashboard, and this dashboard cannot measure it.',
    );
  }

  async function demandAny(labels: Labels): Promise<void> {
    if (self.labels !== null && hasLabels(self.labels, labels)) return;
    demandRunner(await listRunnerRows(database), labels, version);
  }

  /** Stored as this process's own where only it has what the measurement needs, or where it takes nothing from the queue. */
  function enroll(id: string, labels: Labels, here: boolean): Enroll {
    const isOwn = here || (!self.takes && self.labels !== null && Object.keys(labels).length === 0);
    if (isOwn) own.add(id);
    return (transaction) => assign(database, transaction, id, { version, labels }, isOwn ? session : null);
  }

  function isKnown(kind: string): boolean {
    try {
      return parts.kindOf(kind).name === kind;
    } catch {
      return false;
    }
  }

  async function lookForLost(): Promise<void> {
    const [rows, assignments] = await Promise.all([listRunnerRows(database), listAssignments(database)]);
    const now = performance.now();
    const beats = rows.map((row) => [row.session, row.leftAt === null ? row.beat : 'left'] as const);
    leases.observe(
      new Map(beats),
      assignments.flatMap((each) => each.session ?? []),
      now,
    );
    for (const each of assignments) {
      const lost = each.session !== null && each.session !== session && leases.hasLapsed(each.session, now);
      if (!lost || !isKnown(each.kind)) continue;
      const runner = rows.find((row) => row.session === each.session)?.name ?? null;
      await rescue({ ...parts, ...self }, each, runner).catch(onFault);
    }
    await forgetLong(rows.filter((row) => leases.hasLapsed(row.session, now)));
  }

  /** Of those that do not beat: the date alone proves nothing, as clocks of machines need not agree. */
  async function forgetLong(rows: readonly RunnerRow[]): Promise<void> {
    const sessions = rows.filter(({ seenAt }) => seenAt < Date.now() - knownMs).map(({ session }) => session);
    if (sessions.length > 0) await forgetRunners(database, sessions);
  }

  /** It takes it out of the queue itself, if no runner has it yet. */
  async function endWaiting({ id }: Assignment, discard: boolean, stop: boolean): Promise<boolean> {
    const record = await takeFrom(database, id, null, session);
    if (record === null) return false;
    const why = stop ? loadStopped() : problem('run_cancelled', 'It was canceled before it started.');
    await lives.endTaken(record, 'incomplete', why, discard);
    return true;
  }

  async function ask(id: string, wish: Wish): Promise<boolean> {
    await wishFor(database, id, wish);
    const found = (await listAssignments(database)).find((each) => each.id === id);
    if (found === undefined) return false;
    if (found.state === 'queued' && found.session === null) {
      await endWaiting(found, wish === 'discard', wish === 'stop');
    }
    return true;
  }

  // Another dashboard stops all load.
  const unlisten = database.shared?.signals.listen(({ about, id }) => {
    if (about !== 'stop' || id === session) return;
    stopSwitch.press();
    queue.abortRunning(loadStopped());
  });

  let looking: Promise<void> | null = null;
  function look(): Promise<void> {
    looking ??= lookForLost().finally(() => {
      looking = null;
    });
    return looking;
  }

  // A database that is away is asked again.
  const timer = setInterval(() => void look().catch(() => {}), beatMs);
  timer.unref();

  return {
    demandRoom,
    demandRunner: demandAny,
    enroll,
    enrollAgain: async (id) => enroll(id, await findLabels(database, id), false),
    begin(record, secrets, stopped) {
      if (own.delete(record.id)) return lives.begin(record, secrets, stopped);
      if (stopped.aborted) ask(record.id, 'stop').catch(onFault);
    },
    async beginAgain(id, stopped) {
      if (stopped.aborted) return void (await ask(id, 'stop'));
      if (!own.delete(id)) return;
      const record = await takeFrom(database, id, session, session);
      if (record !== null) await lives.take(record, stopped);
    },
    takeUp: look,
    ask,
    async askAll() {
      await signal(database, database.queries, { about: 'stop', id: session });
      const others = (await listAssignments(database)).filter(({ id }) => !isOurs(id));
      for (const each of others) {
        await wishFor(database, each.id, 'stop');
        if (each.session === null) await endWaiting(each, false, true);
      }
      return others.length;
    },
    placesOf,
    mirror: mirrors.open,
    follow: (id, afterId, listener) => log.follow(id, afterId, listener, mirrors.greetingOf(id)),
    async runners() {
      const [rows, assignments] = await Promise.all([listRunnerRows(database), listAssignments(database)]);
      const now = performance.now();
      const runners = rows.map((row) => {
        const busy = assignments.find((each) => each.session === row.session)?.id ?? null;
        return shown(row, busy, leases.hasLapsed(row.session, now));
      });
      const here = runners.filter(isHere);
      const waiting = assignments.filter(({ state, session: taken }) => state === 'queued' && taken === null);
      const stranded = waiting.filter(
        (each) => !here.some((runner) => hasLabels(runner.labels, each.labels)),
      );
      return { runners, stranded: stranded.map(({ id, labels }) => ({ id, labels })) };
    },
    async close() {
      clearInterval(timer);
      unlisten?.();
      mirrors.close();
      await looking?.catch(() => {});
    },
  };
}

function shown(
  { name, labels, version, machine, seenAt, leftAt }: RunnerRow,
  busy: string | null,
  lost: boolean,
) {
  const { runner: _, product: __, sharedMachine: ___, ...rest } = machine;
  return { name, labels, version, machine: rest, state: stateOf(leftAt, lost, busy), seenAt, busy };
}

function stateOf(leftAt: number | null, lost: boolean, busy: string | null): Runner['state'] {
  if (leftAt !== null) return 'left';
  if (lost) return 'lost';
  return busy === null ? 'idle' : 'busy';
}
