/** Protects measurements that are repeated: each time is measured once, or the schedule says why not. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type NewSchedule, newScheduleSchema, scheduleLimits } from '../../../shared/results/schedule.ts';
import { thisMachine } from '../../../shared/team/team.ts';
import { type MeasurementsInTest, openMeasurementsInTest } from '../../testing/measurements-in-test.ts';
import { findStarter } from '../database/insert-measurement.ts';
import { openSchedules, type Schedules, startRepeating } from './open-schedules.ts';

const at = (text: string) => Date.parse(`2026-11-${text}:00Z`);
const noon = at('22T12:00');

let server: MeasurementsInTest;
let schedules: Schedules;
let now: number;
beforeEach(async () => {
  server = await openMeasurementsInTest();
  now = noon;
  schedules = openSchedules(server.database, server.measurements, () => now);
});
afterEach(async () => {
  await server.close();
  expect(server.problems).toEqual([]);
});

const nightly = (of: string, more: Partial<NewSchedule> = {}): NewSchedule =>
  newScheduleSchema.parse({ of, rhythm: { every: 'night', at: '02:30' }, ...more });

async function finished(body: object = {}): Promise<string> {
  const id = await server.create(body);
  (await server.begun()).finish();
  await server.events(id);
  return id;
}

/** Moves the clock to this moment and queues what is due. */
async function pass(moment: number): Promise<void> {
  now = moment;
  await schedules.measureDue(moment);
}

async function finishNext(): Promise<void> {
  const [{ id }] = await listed();
  (await server.begun()).finish();
  await server.events(id);
}

type Line = { id: string; scheduleId?: string; tags: string[] };

async function listed(): Promise<[Line, ...Line[]]> {
  const { summaries } = await server.measurements.list({ kinds: null, limit: 50 });
  return summaries as unknown as [Line, ...Line[]];
}

const only = async () => {
  const [schedule, ...others] = await schedules.list();
  expect(others).toEqual([]);
  if (schedule === undefined) throw new Error('there is no schedule');
  return schedule;
};

test('the same request is measured night after night, tagged alike, and says which schedule it is of', async () => {
  const of = await finished({ words: ['seven'], annotation: { title: 'First', tags: ['nightly'] } });
  const ann = { ...thisMachine, userId: 'Ann'.padEnd(22, '0') };
  const { schedule } = await schedules.create(nightly(of), ann);
  expect(schedule).toMatchObject({
    ...{ kind: 'dummy', title: 'Letters of seven', state: 'on', measured: 0, last: null },
    nextAt: at('23T02:30'),
  });
  await pass(at('23T02:29'));
  expect(await listed()).toHaveLength(1);

  await pass(at('23T02:30'));
  await pass(at('23T02:30'));
  const [newest, ...others] = await listed();
  expect(others).toMatchObject([{ id: of, title: 'First' }]);
  expect(others[0]).not.toHaveProperty('scheduleId');
  expect(newest).toMatchObject({ title: 'Letters of seven', tags: ['nightly'], scheduleId: schedule.id });
  expect(await server.document(newest.id)).toMatchObject({ request: { words: ['seven'] } });
  expect(await findStarter(server.database, newest.id)).toBe(ann.userId);
  await finishNext();
  expect(await only()).toMatchObject({
    ...{ measured: 1, nextAt: at('24T02:30') },
    last: { at: at('23T02:30'), problem: null, measurement: { id: newest.id, state: 'finished' } },
  });

  await pass(at('24T02:31'));
  expect(await listed()).toHaveLength(3);
  expect(await only()).toMatchObject({ measured: 2, nextAt: at('25T02:30') });
});

test('what it measured is deleted with its token, and stays when the schedule goes', async () => {
  const { schedule, deleteToken } = await schedules.create(nightly(await finished()));
  await pass(at('23T02:30'));
  await finishNext();
  const [{ id }] = await listed();
  await schedules.remove(schedule.id);
  expect(await schedules.list()).toEqual([]);
  expect(await server.measurements.summary(id)).toMatchObject({ scheduleId: schedule.id });
  await expect(server.measurements.bin(id, 'wrong')).rejects.toMatchObject({
    problem: { code: 'wrong_delete_token' },
  });
  await server.measurements.bin(id, deleteToken);
  await expect(server.measurements.summary(id)).rejects.toMatchObject({ problem: { code: 'run_binned' } });
});

describe('a time is skipped, with its reason,', () => {
  test('when no server was there, but for a restart', async () => {
    await schedules.create(nightly(await finished()));
    await pass(at('23T02:44'));
    expect(await only()).toMatchObject({ measured: 1, last: { problem: null } });
    await finishNext();
    await pass(at('26T09:00'));
    expect(await only()).toMatchObject({
      ...{ measured: 1, state: 'on', nextAt: at('27T02:30') },
      last: {
        at: at('24T02:30'),
        problem: { code: 'repeat_skipped', detail: 'TLS Toll was not running at the scheduled time.' },
        measurement: { state: 'finished' },
      },
    });
    expect(await listed()).toHaveLength(2);
  });

  test('when the clock jumped past it', async () => {
    await schedules.create(nightly(await finished()));
    vi.useFakeTimers({ toFake: ['Date'], now: at('22T20:00') });
    const repeating = startRepeating(schedules, (error) => {
      throw error;
    });
    try {
      // The look at its start.
      await repeating.now();
      vi.setSystemTime(at('23T09:00'));
      await repeating.now();
      expect((await only()).last).toMatchObject({
        problem: {
          code: 'repeat_skipped',
          detail: expect.stringContaining('clock of this machine jumped'),
        },
      });
    } finally {
      vi.useRealTimers();
      await repeating.stop();
    }
  });

  test('as long as the one before goes on', async () => {
    const of = await finished();
    await schedules.create(newScheduleSchema.parse({ of, rhythm: { every: 'hour' } }));
    await pass(at('22T13:00'));
    for (const hour of ['14', '15']) {
      await pass(at(`22T${hour}:00`));
      expect(await only()).toMatchObject({
        measured: 1,
        last: { problem: { detail: 'The run before it had not ended.' } },
      });
    }
    await finishNext();
    await pass(at('22T16:00'));
    expect(await only()).toMatchObject({ measured: 2, last: { problem: null } });
  });

  test('when its kind refuses it, and the next one is tried again', async () => {
    await server.close();
    let refusing = false;
    server = await openMeasurementsInTest({
      async prepare() {
        if (refusing)
          throw new (await import('../../../shared/base/problem.ts')).ProblemError('target_unreachable', {
            detail: 'Nothing is listening.',
          });
        return { facts: { letters: 0, note: '' }, summary: {}, revisionId: null };
      },
    });
    schedules = openSchedules(server.database, server.measurements, () => now);
    await schedules.create(nightly(await finished()));
    refusing = true;
    await pass(at('23T02:30'));
    expect(await only()).toMatchObject({
      ...{ state: 'on', measured: 0, nextAt: at('24T02:30') },
      last: { problem: { code: 'target_unreachable', detail: 'Nothing is listening.' }, measurement: null },
    });
    refusing = false;
    await pass(at('24T02:30'));
    expect(await only()).toMatchObject({ measured: 1, last: { problem: null } });
  });
});

describe('it ends', () => {
  test('after so many times', async () => {
    await schedules.create(nightly(await finished(), { times: 2 }));
    for (const day of [23, 24, 25]) {
      await pass(at(`${day}T02:30`));
      if (day < 25) await finishNext();
    }
    expect(await only()).toMatchObject({ state: 'ended', nextAt: null, measured: 2 });
    expect(await listed()).toHaveLength(3);
  });

  test('after its last day, and cannot be turned on again then', async () => {
    const { schedule } = await schedules.create(nightly(await finished(), { lastDay: '2026-11-23' }));
    await pass(at('23T02:30'));
    expect(await only()).toMatchObject({ state: 'ended', nextAt: null, measured: 1 });
    await expect(schedules.change(schedule.id, 'on')).rejects.toMatchObject({
      problem: { code: 'schedule_over' },
    });
  });

  test('or pauses until it is turned on, without making up for what it missed', async () => {
    const { schedule } = await schedules.create(nightly(await finished()));
    expect(await schedules.change(schedule.id, 'paused')).toMatchObject({ state: 'paused', nextAt: null });
    await pass(at('24T02:30'));
    expect(await listed()).toHaveLength(1);
    now = at('24T12:00');
    const on = { state: 'on', nextAt: at('25T02:30'), measured: 0, last: null };
    expect(await schedules.change(schedule.id, 'on')).toMatchObject(on);
    expect(await schedules.change(schedule.id, 'on')).toMatchObject(on);
  });
});

describe('is refused', () => {
  test('for one that needs secrets: their values live in memory only', async () => {
    const of = (await server.measurements.create('dummy', { needs: ['key'], secrets: { key: 'x' } }, null))
      .id;
    (await server.begun()).finish();
    await server.events(of);
    await expect(schedules.create(nightly(of))).rejects.toMatchObject({
      problem: { code: 'not_repeatable', detail: expect.stringContaining('secrets (key)') },
    });
  });

  test('for what is not there, or was deleted', async () => {
    await expect(schedules.create(nightly('x'.repeat(22)))).rejects.toMatchObject({
      problem: { code: 'run_not_found' },
    });
    await expect(schedules.change('x'.repeat(22), 'on')).rejects.toMatchObject({
      problem: { code: 'schedule_not_found' },
    });
    await expect(schedules.remove('x'.repeat(22))).rejects.toMatchObject({
      problem: { code: 'schedule_not_found' },
    });
  });

  test('when its last day is over before its first time', async () => {
    await expect(
      schedules.create(nightly(await finished(), { lastDay: '2026-11-22' })),
    ).rejects.toMatchObject({
      problem: { code: 'invalid_request', errors: [{ field: 'lastDay' }] },
    });
  });

  test('when there are very many', async () => {
    const of = await finished();
    for (let i = 0; i < scheduleLimits.schedules; i++) await schedules.create(nightly(of));
    await expect(schedules.create(nightly(of))).rejects.toMatchObject({
      problem: { code: 'too_many_schedules' },
    });
  });
});

test('those of one measurement are those of its request', async () => {
  const [one, other] = [await finished({ words: ['one'] }), await finished({ words: ['other'] })];
  const { schedule } = await schedules.create(nightly(one));
  await schedules.create(nightly(other));
  expect((await schedules.list(one)).map(({ id }) => id)).toEqual([schedule.id]);
});

test('a store that fails loses no time: it is taken when the store works again', async () => {
  await schedules.create(nightly(await finished()));
  server.store.failure = new Error('no disk');
  await expect(pass(at('23T02:30'))).rejects.toThrow('no disk');
  server.store.failure = null;
  await pass(at('23T02:31'));
  expect(await only()).toMatchObject({ measured: 1 });
});
