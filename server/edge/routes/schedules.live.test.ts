/** Protects schedules over HTTP: they repeat a stored result, are paused and deleted, and nonsense is refused at its field. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { problemSchema } from '../../../shared/base/problem-schema.ts';
import {
  createdScheduleSchema,
  type Schedule,
  scheduleListSchema,
  scheduleSchema,
} from '../../../shared/results/schedule.ts';
import { openTestServer, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;
let of: string;
beforeAll(async () => {
  server = await openTestServer();
  of = (await server.storeRun()).id;
});
afterAll(() => server.close());

const path = '/api/v1/schedules';
const post = (body: unknown) => server.send(path, { method: 'POST', body });
const change = (id: string, body: unknown) => server.send(`${path}/${id}`, { method: 'PATCH', body });
async function listed(query = ''): Promise<Schedule[]> {
  return scheduleListSchema.parse(JSON.parse((await server.send(`${path}${query}`)).text)).schedules;
}

test('a result is repeated, paused, turned on again, and let go', async () => {
  const reply = await post({ of, rhythm: { every: 'week', day: 'Friday', zone: 'Europe/Berlin' }, times: 8 });
  expect(reply.status, reply.text).toBe(201);
  const { schedule, deleteToken } = createdScheduleSchema.parse(JSON.parse(reply.text));
  expect(deleteToken).toMatch(/^[\w-]{32}$/);
  expect(schedule).toMatchObject({ kind: 'comparison', state: 'on', measured: 0, times: 8, last: null });
  expect(schedule.nextAt).toBeGreaterThan(Date.now());
  expect(await listed()).toEqual([schedule]);
  expect(await listed(`?of=${of}`)).toEqual([schedule]);
  expect(reply.text.split(deleteToken)).toHaveLength(2);

  const paused = await change(schedule.id, { state: 'paused' });
  expect(scheduleSchema.parse(JSON.parse(paused.text))).toMatchObject({ state: 'paused', nextAt: null });
  const on = await change(schedule.id, { state: 'on' });
  expect(scheduleSchema.parse(JSON.parse(on.text))).toEqual(schedule);

  expect((await server.send(`${path}/${schedule.id}`, { method: 'DELETE' })).status).toBe(204);
  expect(await listed()).toEqual([]);
  const gone = await change(schedule.id, { state: 'on' });
  expect([gone.status, problemSchema.parse(JSON.parse(gone.text)).code]).toEqual([404, 'schedule_not_found']);
});

test.each<[status: number, code: string, body: unknown]>([
  [400, 'invalid_request', { rhythm: { every: 'second' } }],
  [400, 'invalid_request', { rhythm: { every: 'night', at: '02:30:01' } }],
  [400, 'invalid_request', { rhythm: '* * * * * *' }],
  [400, 'invalid_request', { rhythm: { every: 'night' }, lastDay: '2001-01-01' }],
  [400, 'invalid_request', { rhythm: { every: 'night' }, request: { kind: 'comparison' } }],
  [422, 'runners_off', { rhythm: { every: 'night' }, labels: { site: 'fra' } }],
  [404, 'run_not_found', { rhythm: { every: 'night' }, of: 'x'.repeat(22) }],
])('%d %s for %j', async (status, code, body) => {
  const reply = await post({ of, ...Object(body) });
  expect([reply.status, problemSchema.parse(JSON.parse(reply.text)).code]).toEqual([status, code]);
  expect(await listed()).toEqual([]);
});

test('of what was measured for it, the list says so', async () => {
  const stored = await server.storeRun();
  const schedule = 'Schedule00000000000000';
  await server.database.queries
    .insertInto('scheduled')
    .values({ measurementId: stored.id, scheduleId: schedule })
    .execute();
  const { text } = await server.send('/api/v1/measurements');
  const found = JSON.parse(text).measurements.map((each: { scheduleId?: string }) => each.scheduleId);
  expect(found).toEqual([schedule, undefined]);
});

test('another site cannot make one', async () => {
  const body = { of, rhythm: { every: 'night' } };
  const reply = await server.send(path, { method: 'POST', body, headers: { Origin: 'http://evil.example' } });
  expect(reply.status).toBe(403);
});
