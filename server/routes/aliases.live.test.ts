/** Protects programs that use the earlier addresses: /runs and /lab take, list and show what they did. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { labListSchema } from '../../shared/api/lab-endpoints.ts';
import { measurementListSchema } from '../../shared/api/measurement-endpoints.ts';
import { runListSchema } from '../../shared/api/run-endpoints.ts';
import { createdMeasurementSchema } from '../../shared/measurement.ts';
import { openTestServer, type Reply, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

const post = (path: string, body: object) => server.send(`/api/v1${path}`, { method: 'POST', body });
const get = (path: string) => server.send(`/api/v1${path}`);

/** With this seed it ends at once. */
async function made(path: string, body: object): Promise<string> {
  const reply = await post(path, { ...body, seed: 1 });
  expect(reply.status, reply.text).toBe(201);
  const { id, eventsUrl } = createdMeasurementSchema.parse(JSON.parse(reply.text));
  await server.send(eventsUrl);
  return id;
}

const fieldsOf = (reply: Reply) =>
  (JSON.parse(reply.text).errors as { field: string }[]).map(({ field }) => field);

test.each([
  ['/measurements', { kind: 'comparison' }, 'comparison', '/r'],
  ['/measurements', { kind: 'handshakes' }, 'handshakes', '/l'],
  ['/measurements', { kind: 'primitives' }, 'primitives', '/l'],
  ['/measurements', { kind: 'journey' }, 'journey', '/l'],
  ['/runs', {}, 'comparison', '/r'],
  ['/lab', { kind: 'handshakes' }, 'handshakes', '/l'],
  ['/lab', { kind: 'primitives' }, 'primitives', '/l'],
  ['/lab', { kind: 'speed' }, 'primitives', '/l'],
  ['/lab', { kind: 'browser' }, 'journey', '/l'],
])('POST %s with %j makes one of %s at %s', async (path, body, kind, page) => {
  const id = await made(path, body);
  const { text } = await server.send(`${page}/${id}.json`);
  expect(JSON.parse(text)).toMatchObject({
    id,
    kind,
    ...(kind === 'comparison' ? {} : { request: { kind } }),
  });
});

test.each([
  ['/measurements', {}],
  ['/measurements', { kind: 'speed' }],
  ['/measurements', { kind: 7 }],
  ['/runs', { kind: 'handshakes' }],
  ['/lab', {}],
  ['/lab', { kind: 'race' }],
])('POST %s with %j is refused by its kind', async (path, body) => {
  const reply = await post(path, body);
  expect(reply.status).toBe(400);
  expect(fieldsOf(reply)).toEqual(['kind']);
});

test('each list has what its address is for, a page at a time', async () => {
  const [run, grid, speed] = [
    await made('/runs', {}),
    await made('/lab', { kind: 'handshakes' }),
    await made('/measurements', { kind: 'primitives', names: ['RC4'] }),
  ];
  const measurements = async (query: string) =>
    measurementListSchema.parse(JSON.parse((await get(`/measurements?${query}`)).text));
  const first = await measurements('limit=2');
  expect(first.measurements.map(({ id }) => id)).toEqual([speed, grid]);
  const second = await measurements(`limit=1&cursor=${first.nextCursor}`);
  expect(second.measurements.map(({ id }) => id)).toEqual([run]);
  const runs = runListSchema.parse(JSON.parse((await get('/runs?limit=1')).text));
  expect(runs.runs.map(({ id }) => id)).toEqual([run]);
  const labs = labListSchema.parse(JSON.parse((await get('/lab?limit=2')).text));
  expect(labs.labs.map(({ id }) => id)).toEqual([speed, grid]);

  const ofKind = await measurements('kind=handshakes&limit=100&state=finished');
  expect(new Set(ofKind.measurements.map(({ kind }) => kind))).toEqual(new Set(['handshakes']));
  expect((await measurements('q=primitives:%20RC4')).measurements.map(({ id }) => id)).toEqual([speed]);
  expect(fieldsOf(await get('/measurements?kind=race'))).toEqual(['kind']);
});

test('each address shows what it is for, the same bytes as every other', async () => {
  const [run, grid] = [await made('/runs', {}), await made('/lab', { kind: 'handshakes' })];
  for (const [id, alias, other] of [
    [run, '/runs', '/lab'],
    [grid, '/lab', '/runs'],
  ]) {
    const { text, headers } = await get(`/measurements/${id}`);
    const shown = await get(`${alias}/${id}`);
    expect([shown.text, shown.headers.etag]).toEqual([text, headers.etag]);
    expect((await get(`${other}/${id}`)).status).toBe(404);
  }
});

test('at every address a measurement is watched, cancelled and deleted', async () => {
  for (const address of ['/measurements', '/runs', '/lab']) {
    const kind = address === '/lab' ? 'handshakes' : 'comparison';
    const reply = await post(address, address === '/runs' ? {} : { kind });
    const { id, deleteToken } = createdMeasurementSchema.parse(JSON.parse(reply.text));
    const cancelled = await post(`${address}/${id}/cancel`, { keep: true });
    expect(cancelled.status).toBe(202);
    expect(JSON.parse(cancelled.text)).toMatchObject({ id, kind });
    expect((await get(`${address}/${id}/events`)).text).toContain('{"type":"end","state":"incomplete"}');
    const headers = { 'X-Delete-Token': deleteToken ?? '' };
    const deleted = await server.send(`/api/v1${address}/${id}`, { method: 'DELETE', headers });
    expect(deleted.status, deleted.text).toBe(204);
    expect((await get(`${address}/${id}`)).status).toBe(410);
  }
});
