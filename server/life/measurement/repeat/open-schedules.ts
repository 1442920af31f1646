import { ProblemError, problem, problemOfField } from '../../../../shared/base/problem.ts';
import type { NewSchedule, Schedule } from '../../../../shared/measurement/schedule.ts';
import { thisMachine } from '../../../../shared/team/audit.ts';
import type { Database } from '../../database/open-database.ts';
import {
  deleteSchedule,
  findSchedule,
  insertSchedule,
  listScheduleRows,
  type ScheduleRow,
  storeScheduleState,
} from '../../database/schedules.ts';
import { newDeleteToken } from '../create/delete-token.ts';
import { newPermalinkId } from '../create/permalink-id.ts';
import type { Measurements } from '../measurements.ts';
import { measureDue } from './measure-due.ts';
import { nextTime } from './next-time.ts';
import type { Schedules } from './schedules.ts';

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
