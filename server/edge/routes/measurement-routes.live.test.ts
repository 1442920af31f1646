/** Protects the life of a measurement over HTTP; what measures is a stand-in. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { measurementListSchema } from '../../../shared/api/measurement-endpoints.ts';
import {
  type CreatedMeasurement,
  cellsEventsSchema,
  createdMeasurementSchema,
} from '../../../shared/measurement/measurement.ts';
import { measurementDocumentSchema } from '../../../shared/results/kinds.ts';
import { openTestServer, type Reply, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

/** With seed 1 it ends by itself. */
async function create(seed: number, headers: Record<string, string> = {}): Promise<CreatedMeasurement> {
  const reply = await post('/api/v1/measurements', { kind: 'handshakes', seed }, headers);
  expect(reply.status, reply.text).toBe(201);
  return createdMeasurementSchema.parse(JSON.parse(reply.text));
}

function post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Reply> {
  return server.send(path, { method: 'POST', body, headers: { origin: server.origin, ...headers } });
}

/** Everything that the log tells, up to its end. */
async function readLog(eventsUrl: string) {
  const { text } = await server.send(eventsUrl);
  return text
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .map((line) => cellsEventsSchema.parse(JSON.parse(line.slice('data:'.length))));
}

async function until(eventsUrl: string, type: string): Promise<void> {
  const response = await fetch(`${server.origin}${eventsUrl}`);
  let heard = '';
  for await (const chunk of response.body ?? []) {
    heard += new TextDecoder().decode(chunk);
    if (heard.includes(`"type":"${type}"`)) return;
  }
  throw new Error(`the log ended without ${type}: ${heard}`);
}

async function documentOf(id: string) {
  return measurementDocumentSchema.parse(JSON.parse((await server.send(`/l/${id}.json`)).text));
}

test('a measurement is queued, measured and then final at its permalink, the same bytes by every address', async () => {
  const { id, url, eventsUrl } = await create(1);
  expect(url).toBe(`/l/${id}`);
  const events = await readLog(eventsUrl);
  expect(events.map((event) => ('state' in event ? event.state : event.type))).toEqual([
    'queued',
    'running',
    'finished',
  ]);
  const bySuffix = await server.send(`/l/${id}.json`);
  const byAccept = await server.send(`/l/${id}`, { headers: { accept: 'application/json' } });
  const byApi = await server.send(`/api/v1/measurements/${id}`);
  expect(byAccept.text).toBe(bySuffix.text);
  expect(byApi.text).toBe(bySuffix.text);
  expect(byAccept.headers.vary).toContain('Accept');
  const { etag } = bySuffix.headers;
  const again = await server.send(`/l/${id}.json`, { headers: { 'if-none-match': String(etag) } });
  expect([again.status, again.text]).toEqual([304, '']);
  expect(await documentOf(id)).toMatchObject({ id, state: 'finished', request: { seed: 1 } });
  expect((await server.send(`/l/${id}.csv`)).text).toMatch(
    /^measurement_id,cell,status,cell_id,cell_version,/,
  );
  expect((await server.send(`/l/${id}.md`)).text).toMatch(/^# What a TLS connection costs/);
  expect((await server.send(`/l/${id}`, { headers: { accept: 'text/html' } })).status).toBe(200);
});

test('one measures at a time, the others wait; canceled and kept they are incomplete, discarded they are gone', async () => {
  const [running, kept, discarded] = [await create(2), await create(3), await create(4)];
  await until(running.eventsUrl, 'state');
  await vi.waitFor(() => expect(server.underWay).toHaveLength(1));
  const { measurements } = measurementListSchema.parse(
    JSON.parse((await server.send('/api/v1/measurements')).text),
  );
  expect(measurements.slice(0, 3).map(({ id, state, queuePosition }) => [id, state, queuePosition])).toEqual([
    [discarded.id, 'queued', 2],
    [kept.id, 'queued', 1],
    [running.id, 'running', null],
  ]);
  expect(await documentOf(running.id)).toMatchObject({ state: 'running', cells: [] });

  expect((await post(`/api/v1/measurements/${discarded.id}/cancel`, { keep: false })).status).toBe(202);
  expect((await server.send(`/l/${discarded.id}.json`)).status).toBe(410);
  expect((await post(`/api/v1/measurements/${kept.id}/cancel`, { keep: true })).status).toBe(202);
  expect(await documentOf(kept.id)).toMatchObject({
    state: 'incomplete',
    problem: { code: 'run_cancelled' },
  });
  expect((await post(`/api/v1/measurements/${running.id}/cancel`, { keep: true })).status).toBe(202);
  expect((await readLog(running.eventsUrl)).at(-1)).toEqual({ type: 'end', state: 'incomplete' });
  expect(await documentOf(running.id)).toMatchObject({
    state: 'incomplete',
    problem: { code: 'run_cancelled' },
  });
  expect((await post(`/api/v1/measurements/${running.id}/cancel`, { keep: true })).status).toBe(409);
});

test('the same idempotency key makes one measurement, and is refused for another request', async () => {
  const headers = { 'idempotency-key': 'once' };
  const first = await create(1, headers);
  const again = await create(1, headers);
  // Its token goes to nobody once it is over.
  expect([first.deleteToken, null]).toContain(again.deleteToken);
  expect({ ...again, deleteToken: null }).toEqual({ ...first, deleteToken: null });
  const other = await post('/api/v1/measurements', { kind: 'handshakes', seed: 5 }, headers);
  expect(JSON.parse(other.text)).toMatchObject({ code: 'idempotency_conflict' });
});

test.each([
  [{ kind: 'handshakes', grid: 'tomorrow' }, 'grid'],
  [{ kind: 'handshakes', connections: 0 }, 'connections'],
  [{ kind: 'handshakes', colour: 'red' }, 'colour'],
])('%j is refused by its field', async (body, field) => {
  const reply = await post('/api/v1/measurements', body);
  expect(reply.status).toBe(400);
  expect(JSON.parse(reply.text).errors[0].field).toBe(field);
});

test('an id that nobody has is said so, everywhere', async () => {
  const id = 'Nobody'.padEnd(22, '0');
  for (const path of [`/l/${id}.json`, `/api/v1/measurements/${id}`, `/api/v1/measurements/${id}/events`]) {
    expect((await server.send(path)).status, path).toBe(404);
  }
  expect((await post(`/api/v1/measurements/${id}/cancel`, { keep: true })).status).toBe(404);
});

test.each([
  ['comparison', '/r'],
  ['handshakes', '/l'],
  ['speed', '/l'],
  ['visits', '/l'],
])('POST with the kind %s makes one at %s', async (kind, page) => {
  const reply = await post('/api/v1/measurements', { kind, seed: 1 });
  expect(reply.status, reply.text).toBe(201);
  const { id } = createdMeasurementSchema.parse(JSON.parse(reply.text));
  expect(JSON.parse((await server.send(`${page}/${id}.json`)).text)).toMatchObject({ id, kind });
});

test.each([{}, { kind: 'weather' }, { kind: 7 }])('%j is refused by its kind', async (body) => {
  const reply = await post('/api/v1/measurements', body);
  expect(reply.status).toBe(400);
  expect(JSON.parse(reply.text).errors).toMatchObject([{ field: 'kind' }]);
});

test('the list has all kinds or one, a page at a time', async () => {
  const made = async (body: object) =>
    createdMeasurementSchema.parse(JSON.parse((await post('/api/v1/measurements', body)).text));
  const run = await made({ kind: 'comparison', seed: 1 });
  const grid = await made({ kind: 'handshakes', seed: 1 });
  const speed = await made({ kind: 'speed', seed: 1, names: ['RC4'] });
  for (const { eventsUrl } of [run, grid, speed]) await server.send(eventsUrl);
  const list = async (query: string) =>
    measurementListSchema.parse(JSON.parse((await server.send(`/api/v1/measurements?${query}`)).text));
  const first = await list('limit=2');
  expect(first.measurements.map(({ id }) => id)).toEqual([speed.id, grid.id]);
  const second = await list(`limit=1&cursor=${first.nextCursor}`);
  expect(second.measurements.map(({ id }) => id)).toEqual([run.id]);
  const ofKind = await list('kind=handshakes&limit=100&state=finished');
  expect(new Set(ofKind.measurements.map(({ kind }) => kind))).toEqual(new Set(['handshakes']));
  expect((await list('q=speed:%20RC4')).measurements.map(({ id }) => id)).toEqual([speed.id]);
  const unknown = await server.send('/api/v1/measurements?kind=race');
  expect(JSON.parse(unknown.text).errors).toMatchObject([{ field: 'kind' }]);
});
