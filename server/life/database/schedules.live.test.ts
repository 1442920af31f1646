/** Protects stored schedules in both engines: a time is taken once, and what became of it is kept. */
import { describe, expect, test } from 'vitest';
import { describeProblem } from '../../../shared/base/problem.ts';
import { engines, openDatabaseInTest } from '../../testing/database-in-test.ts';
import { insertInTest } from '../../testing/insert-in-test.ts';
import { buryMeasurement } from './measurements.ts';
import {
  deleteSchedule,
  findSchedule,
  insertSchedule,
  listScheduleIds,
  listScheduleRows,
  type ScheduleRow,
  storeMeasured,
  storeSkipped,
  takeTime,
} from './schedules.ts';

const idOf = (name: string) => name.padEnd(22, '0');

const row = (name: string, nextAt: number | null): ScheduleRow => ({
  ...{ id: idOf(name), createdAt: 1_800_000_000_000, kind: 'comparison', title: 'Ünder \u0000', tags: ['a'] },
  ...{ request: { kind: 'comparison', seed: 1 }, requestHash: 'hash', deleteTokenHash: 'token' },
  ...{ rhythm: { every: 'night', at: '02:30', zone: 'UTC' }, times: 3, lastDay: '2027-01-01' },
  ...{ startedBy: idOf('Ann'), labels: { site: 'fra' } },
  ...{ state: nextAt === null ? 'paused' : 'on', nextAt, measured: 0 },
  ...{ lastAt: null, lastMeasurementId: null, lastProblem: null },
});

describe.each(engines)('schedules in %s', (engine) => {
  test('come back as they were stored, the next one first', async () => {
    const { database, close } = await openDatabaseInTest(engine);
    for (const each of [
      row('paused', null),
      row('late', 1_800_000_000_002),
      row('soon', 1_800_000_000_001),
    ]) {
      await insertSchedule(database, each);
    }
    const rows = await listScheduleRows(database);
    expect(rows.map(({ id }) => id)).toEqual(['soon', 'late', 'paused'].map(idOf));
    expect(rows[0]).toEqual({ ...row('soon', 1_800_000_000_001), title: rows[0]?.title });
    expect(rows[0]?.title).toMatch(/^Ünder/);
    await close();
  });

  test('give each time to one taker, and keep what became of it', async () => {
    const { database, close } = await openDatabaseInTest(engine);
    const schedule = row('one', 1_800_000_000_000);
    await insertSchedule(database, schedule);
    const next = { state: 'on', nextAt: 1_800_000_100_000 } as const;
    const takers = [takeTime(database, schedule, next), takeTime(database, schedule, next)];
    expect((await Promise.all(takers)).toSorted()).toEqual([false, true]);

    const measurement = await insertInTest(database, { kind: 'comparison', scheduleId: schedule.id });
    const measured = { at: 1_800_000_000_000, measurementId: measurement.id };
    await storeMeasured(database, schedule.id, { ...measured, ended: false });
    const why = describeProblem('repeat_skipped', { detail: 'No server.' });
    await storeSkipped(database, schedule.id, { at: 1_800_000_100_000, why });
    expect(await findSchedule(database, schedule.id)).toMatchObject({
      ...{ ...next, measured: 1, lastAt: 1_800_000_100_000, lastProblem: why },
      lastMeasurementId: measurement.id,
    });
    await storeMeasured(database, schedule.id, { ...measured, ended: true });
    expect(await findSchedule(database, schedule.id)).toMatchObject({
      ...{ state: 'ended', nextAt: null, measured: 2, lastProblem: null },
    });

    expect(await listScheduleIds(database, [measurement.id, idOf('other')])).toEqual(
      new Map([[measurement.id, schedule.id]]),
    );
    await buryMeasurement(database, measurement.id, 1);
    expect(await findSchedule(database, schedule.id)).toMatchObject({ lastMeasurementId: null });
    expect(await listScheduleIds(database, [measurement.id])).toEqual(new Map());
    await deleteSchedule(database, schedule.id);
    await expect(findSchedule(database, schedule.id)).rejects.toMatchObject({
      problem: { code: 'schedule_not_found' },
    });
    await close();
  });
});
