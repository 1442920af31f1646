import { Temporal } from 'temporal-polyfill';
import { ProblemError, problem, problemOfField } from '../../../shared/base/problem.ts';
import { isOver } from '../../../shared/measurement/measurement.ts';
import { type NewSchedule, type Rhythm, type Schedule, weekdays } from '../../../shared/results/schedule.ts';
import { type Asker, thisMachine } from '../../../shared/team/team.ts';
import { findState } from '../database/measurements.ts';
import type { Database } from '../database/open-database.ts';
import { addToAuditLog } from '../database/permitted-targets.ts';
import {
  deleteSchedule,
  findSchedule,
  insertSchedule,
  listScheduleRows,
  type ScheduleRow,
  storeMeasured,
  storeScheduleState,
  storeSkipped,
  takeTime,
} from '../database/schedules.ts';
import type { Measurements } from './asked-measurements.ts';
import { lookAgain } from './create.ts';
import { newDeleteToken, newPermalinkId } from './tokens.ts';

/** @param now the clock, in milliseconds since 1970 */
export function openSchedules(
  database: Database,
  measurements: Measurements,
  now: () => number = Date.now,
): Schedules {
  async function shown({ id, kind, title, ...row }: ScheduleRow): Promise<Schedule> {
    const { rhythm, times, lastDay, labels, state, nextAt, measured } = row;
    const last = row.lastAt === null ? null : { at: row.lastAt, ...(await lastOf(row)) };
    return { id, kind, title, rhythm, times, lastDay, labels, state, nextAt, measured, last } as Schedule;
  }

  async function lastOf({ lastMeasurementId, lastProblem }: LastTime) {
    if (lastMeasurementId === null) return { measurement: null, problem: lastProblem };
    const measurement = await measurements.summary(lastMeasurementId).catch((error) => {
      // It is in the bin.
      if (error instanceof ProblemError) return null;
      throw error;
    });
    return { measurement, problem: lastProblem };
  }

  async function create({ of, rhythm, times, lastDay, labels }: NewSchedule, by = thisMachine) {
    const { kind, request, requestHash, secrets, title, tags, ...before } = await measurements.asked(of);
    if (secrets.length > 0) {
      throw problem(
        'not_repeatable',
        `It needs the values of its secrets (${secrets.join(', ')}), which are kept in memory only until it ends.`,
      );
    }
    if (labels !== undefined) await measurements.demandRunner(labels);
    const nextAt = nextTime(rhythm, now(), lastDay);
    if (nextAt === null)
      throw problemOfField(
        'invalid_request',
        'lastDay',
        `the first time is after ${lastDay}`,
        'The body: lastDay',
      );
    const { token, hash } = newDeleteToken();
    const row: ScheduleRow = {
      ...{ id: newPermalinkId(), createdAt: now(), kind, title, request, requestHash, tags },
      ...{ deleteTokenHash: hash, rhythm, times, lastDay, state: 'on', nextAt, measured: 0 },
      ...{ startedBy: by.userId, labels: labels ?? before.labels },
      ...{ lastAt: null, lastMeasurementId: null, lastProblem: null },
    };
    await insertSchedule(database, row);
    return { schedule: await shown(row), deleteToken: token };
  }

  return {
    create,

    async list(of) {
      const rows = await listScheduleRows(database);
      const hash = of === undefined ? null : (await measurements.asked(of)).requestHash;
      return Promise.all(rows.filter(({ requestHash }) => hash === null || requestHash === hash).map(shown));
    },

    async change(id, state) {
      const row = await findSchedule(database, id);
      const nextAt = state === 'paused' ? null : timeAfter(row, now());
      if (row.state === 'ended' || (state === 'on' && nextAt === null)) {
        throw problem('schedule_over', 'This schedule has no further times.');
      }
      await storeScheduleState(database, id, { state, nextAt });
      return shown({ ...row, state, nextAt });
    },

    remove: (id) => deleteSchedule(database, id),

    measureDue: (moment, jumpedFrom) => measureDue(database, measurements, moment, jumpedFrom),
  };
}

type LastTime = Pick<ScheduleRow, 'lastMeasurementId' | 'lastProblem'>;

/** One that is on keeps the time that it waits for. */
function timeAfter({ state, nextAt, rhythm, lastDay }: ScheduleRow, moment: number): number | null {
  return state === 'on' ? nextAt : nextTime(rhythm, moment, lastDay);
}

/** A time that is missed by more is skipped: a series of nights has no mornings in it. A restart stays within it. */
const graceMs = 15 * 60_000;

/**
 * Queues the measurements whose time has come, each once. What speaks against one is kept as its outcome, and it goes on at
 * its next time. Rejects with what the store says; a time that was not taken comes again.
 */
async function measureDue(
  database: Database,
  measurements: Measurements,
  now: number,
  jumpedFrom = now,
): Promise<void> {
  for (const row of await listScheduleRows(database)) {
    if (row.nextAt !== null && row.nextAt <= now)
      await measureOne(database, measurements, row, row.nextAt, { now, jumpedFrom });
  }
}

async function measureOne(
  database: Database,
  measurements: Measurements,
  row: ScheduleRow,
  at: number,
  { now, jumpedFrom }: { now: number; jumpedFrom: number },
): Promise<void> {
  const nextAt = nextTime(row.rhythm, now, row.lastDay);
  if (!(await takeTime(database, row, { nextAt, state: nextAt === null ? 'ended' : 'on' }))) return;
  try {
    if (now - at > graceMs) throw problem('repeat_skipped', at > jumpedFrom ? jumped : wasNotRunning);
    await demandEnded(database, row);
    const { id: measurementId, url } = await queue(measurements, row);
    await noteRepeat(database, row, url);
    const ended = row.times !== null && row.measured + 1 >= row.times;
    await storeMeasured(database, row.id, { at, measurementId, ended });
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    await storeSkipped(database, row.id, { at, why: error.problem });
    // This version will not be able to read the request next time either.
    if (error.problem.code === 'invalid_request')
      await storeScheduleState(database, row.id, { state: 'paused', nextAt: null });
  }
}

const wasNotRunning = 'TLS Toll was not running at the scheduled time.';
const jumped =
  'The clock of this machine jumped past the scheduled time: it was set, or the machine was suspended.';

/** One that takes longer than its turn would fill the queue. Throws repeat_skipped. */
async function demandEnded(database: Database, { lastMeasurementId }: ScheduleRow): Promise<void> {
  const found = lastMeasurementId === null ? null : await findState(database, lastMeasurementId);
  if (found === null || isOver(found.state)) return;
  throw problem('repeat_skipped', 'The run before it had not ended.');
}

async function queue(
  measurements: Measurements,
  { id, kind, request, tags, labels, deleteTokenHash, ...row }: ScheduleRow,
): Promise<{ id: string; url: string }> {
  const body = { ...Object(request), annotation: { tags }, labels };
  const schedule = { scheduleId: id, deleteTokenHash };
  return measurements.create(kind, body, null, { by: askerOfSchedule(row), schedule });
}

async function noteRepeat(database: Database, row: ScheduleRow, subject: string): Promise<void> {
  const event = { what: 'repeated', subject, host: null, note: row.kind };
  await addToAuditLog(database, { id: newPermalinkId(), at: Date.now(), ...askerOfSchedule(row), ...event });
}

/** On behalf of whoever made it. */
function askerOfSchedule({ title, startedBy }: Pick<ScheduleRow, 'title' | 'startedBy'>): Asker {
  return { who: `schedule “${title}”`, userId: startedBy, key: null, from: null };
}

/**
 * The first time of a rhythm after a moment, both in milliseconds since 1970; null when that is after its last day.
 * If summer time skips a time of day, it is as much later that day; if it comes twice, the first one counts.
 */
export function nextTime(rhythm: Rhythm, after: number, lastDay: string | null): number | null {
  const now = Temporal.Instant.fromEpochMilliseconds(after).toZonedDateTimeISO(rhythm.zone);
  const next = timesFrom(now, rhythm).find((time) => time.epochMilliseconds > after);
  if (next === undefined) throw new Error(`${JSON.stringify(rhythm)} has no time within a week`);
  // Both are written as 2026-11-22, so their order is that of the text.
  return lastDay !== null && next.toPlainDate().toString() > lastDay ? null : next.epochMilliseconds;
}

/** Times within two hours, or within the eight days that contain any weekday after now, and one more. */
function timesFrom(now: Temporal.ZonedDateTime, rhythm: Rhythm): Temporal.ZonedDateTime[] {
  if (rhythm.every === 'hour') {
    const { minute } = rhythm;
    const start = { minute, second: 0, millisecond: 0, microsecond: 0, nanosecond: 0 };
    return [0, 1, 2].map((hours) => now.add({ hours }).with(start));
  }
  const dates = [0, 1, 2, 3, 4, 5, 6, 7, 8].map((days) => now.toPlainDate().add({ days }));
  return dates
    .filter(({ dayOfWeek }) => rhythm.every === 'night' || weekdays[dayOfWeek - 1] === rhythm.day)
    .map((date) => date.toZonedDateTime({ timeZone: rhythm.zone, plainTime: rhythm.at }));
}

/** Everything that the edges can ask of measurements that are repeated. */
export type Schedules = {
  /** The next one first. @param of a measurement: only those that repeat its request */
  list(of?: string): Promise<Schedule[]>;
  /**
   * Repeats the request of a measurement.
   * Throws run_not_found, run_deleted, run_binned, not_repeatable where it needs secrets, invalid_request where it has no next
   * time, too_many_schedules; runners_off, runner_unknown, runner_outdated where no runner has the labels.
   * @param by counts as the starter of all its measurements
   */
  create(asked: NewSchedule, by?: Asker): Promise<{ schedule: Schedule; deleteToken: string }>;
  /** Throws schedule_not_found; schedule_over for one that has no further time. */
  change(id: string, state: 'on' | 'paused'): Promise<Schedule>;
  /** Keeps its measurements. Throws schedule_not_found. */
  remove(id: string): Promise<void>;
  /**
   * Queues what is due. `now` in milliseconds since 1970.
   * @param jumpedFrom where the clock was when it jumped to now; left out where it did not
   */
  measureDue(now: number, jumpedFrom?: number): Promise<void>;
};

/** Times are whole minutes, so a look at a small table that often is soon enough, and costs nothing. */
const lookEveryMs = 10_000;
/** More than corrections of a clock, which are steps of milliseconds. */
const jumpMs = 60_000;

/** Queues what is due, from now until it is stopped, whatever becomes of the clock or of the store meanwhile. */
export function startRepeating(
  schedules: Pick<Schedules, 'measureDue'>,
  onError: (error: unknown) => void,
): { now(): Promise<void>; stop(): Promise<void> } {
  let before = { wallMs: Date.now(), monotonicMs: performance.now() };
  const looking = lookAgain(lookEveryMs, onError, async () => {
    const now = { wallMs: Date.now(), monotonicMs: performance.now() };
    const expected = before.wallMs + now.monotonicMs - before.monotonicMs;
    before = now;
    await schedules.measureDue(now.wallMs, now.wallMs - expected > jumpMs ? expected : undefined);
  });
  looking.now().catch(onError);
  return looking;
}
