/** Protects the contract of kinds: one that nothing here knows is measured from the request to its permalink. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createdMeasurementSchema } from '../../../shared/measurement/measurement.ts';
import { type DummyDocument, dummy, dummyDocumentSchema } from '../../testing/dummy-kind.ts';
import { openTestServer, type TestServer } from '../../testing/test-server.ts';

const api = '/api/v1/measurements';
let server: TestServer;
let document: DummyDocument;
beforeAll(async () => {
  server = await openTestServer({ kinds: [dummy] });
  const body = { kind: 'dummy', words: ['one', 'three'] };
  const reply = await server.send(api, { method: 'POST', body });
  expect(reply.status, reply.text).toBe(201);
  const { id, url, eventsUrl } = createdMeasurementSchema.parse(JSON.parse(reply.text));
  expect([url, reply.headers.location]).toEqual([`/l/${id}`, `/l/${id}`]);

  const { text } = await server.send(eventsUrl);
  const types = [...text.matchAll(/^event: (\w+)$/gm)].map(([, type]) => type);
  expect(types).toEqual(['state', 'state', 'progress', 'progress', 'end']);
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

test.each([
  ['csv', 'text/csv', 'word,letters\r\none,3\r\nthree,5\r\n'],
  ['md', 'text/markdown', '# Letters of one, three\n\n8\n'],
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
