/** Protects the contract of kinds: one that nothing here knows is measured from the request to its permalink. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { measurementEndpoints } from '../../../shared/api/measurement-endpoints.ts';
import type { MeasurementEvent } from '../../../shared/results/kinds.ts';
import { printTerminal } from '../../base/text/terminal.ts';
import { type DummyDocument, dummy, dummyDocumentSchema } from '../../testing/dummy-kind.ts';
import { openTestServer, type TestServer } from '../../testing/test-server.ts';
import { connectTo } from '../commands/api-client.ts';

const api = '/api/v1/measurements';
let server: TestServer;
let document: DummyDocument;
const events: MeasurementEvent[] = [];
beforeAll(async () => {
  server = await openTestServer({ kinds: [dummy] });
  const body = { kind: 'dummy', words: ['one', 'three'] };
  const client = connectTo({ url: server.origin, key: null });
  const { id, url } = await client.call(measurementEndpoints.createMeasurement, { body });
  expect(url).toBe(`/l/${id}`);
  for await (const event of client.events(id)) events.push(event);
  document = dummyDocumentSchema.parse(JSON.parse((await server.send(`/l/${id}.json`)).text));
});
afterAll(() => server.close());

const get = (path: string, headers: Record<string, string> = {}) => server.send(path, { headers });

test('its document is at its permalink and at the API, and has what was measured', async () => {
  expect(document).toMatchObject({ state: 'finished', letters: 8, blocks: [{ letters: 3 }, { letters: 5 }] });
  const { text, headers } = await get(`/l/${document.id}.json`);
  expect(headers.etag).toMatch(/^"[\w-]{43}"$/);
  expect(await get(`${api}/${document.id}`)).toMatchObject({ status: 200, text });
});

test('viewers get its progress by the phases that it declares', () => {
  const told = events.filter((event) => event.type === 'progress');
  const logged = events.filter(({ type }) => type !== 'progress');
  expect(logged.map(({ type }) => type)).toEqual(['state', 'state', 'end']);
  // A late watcher gets only the latest.
  expect(told.at(-1)?.counts[0]?.done).toBe(2);
  expect(told.at(-1)).toMatchObject({ phase: 'counting', fraction: 1, secondsLeft: 0 });
});

test('a terminal prints it as Markdown does', () => {
  expect(printTerminal(dummy.report(document))).toBe(
    'Letters of one, three\n8\n\nWord   Letters\none          3\nthree        5\n',
  );
});

test.each([
  ['csv', 'text/csv', 'word,letters\r\none,3\r\nthree,5\r\n'],
  [
    'md',
    'text/markdown',
    '# Letters of one, three\n\n8\n\n| Word | Letters |\n| --- | ---: |\n| one | 3 |\n| three | 5 |\n',
  ],
])('its permalink is there as %s, by suffix and by Accept', async (suffix, type, text) => {
  const bySuffix = await get(`/l/${document.id}.${suffix}`);
  expect(bySuffix).toMatchObject({ status: 200, text });
  expect(bySuffix.headers['content-type']).toContain(type);
  expect((await get(`/l/${document.id}`, { Accept: type })).text).toBe(text);
});

test('its page is there for people, and its line in the list', async () => {
  expect((await get(`/l/${document.id}`, { Accept: 'text/html' })).status).toBe(200);
  const { measurements } = JSON.parse((await get(`${api}?q=letters%20of`)).text);
  expect(measurements).toEqual([
    {
      ...{ id: document.id, url: `/l/${document.id}`, kind: 'dummy', title: 'Letters of one, three' },
      ...{ state: 'finished', createdAt: document.createdAt, endedAt: document.endedAt, problem: null },
      ...{ queuePosition: null, words: 2, letters: 8 },
      ...{ generatedTitle: 'Letters of one, three', tags: [] },
    },
  ]);
});

test('what is wrong with a request is said by its own schema', async () => {
  const reply = await server.send(api, { method: 'POST', body: { kind: 'dummy', words: ['one', ''] } });
  expect(JSON.parse(reply.text)).toMatchObject({
    status: 400,
    code: 'invalid_request',
    errors: [{ field: 'words.1' }],
  });
});
