/** Protects examples at the API: they are read like any result, cannot be changed, and are in no list. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Example } from '../../../shared/api/example-endpoints.ts';
import { exampleEndpoints } from '../../../shared/api/example-endpoints.ts';
import { measurementDocumentSchema } from '../../../shared/results/kinds.ts';
import { shownMeasurementSchema } from '../../../shared/results/shown-measurement.ts';
import { exampleList } from '../../life/examples/with-examples.ts';
import { openTestServer, type SendOptions, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;
let examples: Example[];

beforeAll(async () => {
  server = await openTestServer();
  const { text } = await server.send('/api/v1/examples');
  examples = exampleEndpoints.listExamples.response.parse(JSON.parse(text)).examples;
});
afterAll(() => server.close());

const read = async (path: string) => JSON.parse((await server.send(path)).text);
const mark = /xample, measured on .+ \(\d+ cores?\), \d+ \w+ \d{4}\./;

test('every example has all formats of a result, and its page, its file, and its report are marked as an example', async () => {
  expect(examples.map(({ name }) => name)).toEqual(exampleList.map(({ name }) => name));
  // The evidence of claims needs no rows.
  for (const { id, url, headline } of examples.filter(({ asks }) => asks !== null)) {
    expect(headline).not.toBe('');
    expect(measurementDocumentSchema.parse(await read(`${url}.json`))).toMatchObject({ id });
    expect(shownMeasurementSchema.parse(await read(`/api/v1/measurements/${id}/page`)).example).toBe(true);
    expect(await read(`/api/v1/measurements/${id}/annotation`)).toMatchObject({ note: '', tags: [] });
    expect((await server.send(`${url}.md`)).text).toMatch(mark);
    for (const form of ['', '.csv', '.jsonl', '.parquet', '.html', '/embed']) {
      const { status, text } = await server.send(`${url}${form}`, { headers: { Accept: '*/*' } });
      expect([form, status, text === '']).toEqual([form, 200, false]);
    }
    expect((await server.send(`/api/v1/measurements/${id}/events`)).status).toBe(204);
  }
  const [{ url }, { id }] = [examples[0] as Example, examples[1] as Example];
  expect((await server.send(`${url}/og.png`)).headers['content-type']).toBe('image/png');
  expect((await server.send(`${url}/badge.svg`)).headers['content-type']).toContain('image/svg');
  expect((await server.send(`/api/v1/report?ids=${id}`)).status).toBe(200);
});

test('changing, deleting, repeating, or comparing an example is refused, and the message says that it is one', async () => {
  const own = await server.storeRun();
  const [{ id }] = examples as [Example];
  const at = `/api/v1/measurements/${id}`;
  const token = { 'X-Delete-Token': 'token' };
  const schedule = { of: id, rhythm: { every: 'hour' }, times: null, lastDay: null };
  const asked: [path: string, options: SendOptions][] = [
    [at, { method: 'DELETE', headers: token }],
    [`${at}?permanent=true`, { method: 'DELETE', headers: token }],
    [`${at}/restore`, { method: 'POST', headers: token }],
    [at, { method: 'PATCH', body: { title: 'mine' } }],
    [`${at}/cancel`, { method: 'POST', body: { keep: true } }],
    [`${at}/resume`, { method: 'POST' }],
    [`${at}/baseline`, { method: 'PUT' }],
    [`${at}/explanation`, { method: 'POST' }],
    [`${at}/series`, {}],
    ['/api/v1/schedules', { method: 'POST', body: schedule }],
    [`/api/v1/changes/${own.id}..${id}`, {}],
    [`/c/${id}..${own.id}.json`, {}],
  ];
  for (const [path, options] of asked) {
    const { status, text } = await server.send(path, options);
    expect([path, status, JSON.parse(text).code]).toEqual([path, 409, 'example_read_only']);
  }
  expect((await server.send('/api/v1/examples', { method: 'POST', body: {} })).status).toBe(405);
  expect((await server.send('/api/v1/measurements/0000000000000000000000')).status).toBe(404);
});

test('lists have no examples, and a result of this server with the ID of an example replaces it', async () => {
  const [{ id, url }] = examples as [Example];
  const ids = async () =>
    (await read('/api/v1/measurements')).measurements.map((each: { id: string }) => each.id);
  expect(await ids()).not.toContain(id);
  const { createdAt } = await server.storeRun({ id });
  expect(await ids()).toContain(id);
  expect(await read(`${url}.json`)).toMatchObject({ id, createdAt });
  const titled = await server.send(`/api/v1/measurements/${id}`, {
    method: 'PATCH',
    body: { title: 'mine' },
  });
  expect(titled.status).toBe(200);
});
