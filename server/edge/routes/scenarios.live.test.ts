/** Protects stored scenarios over HTTP: revisions, import, export. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is how a scenario writes a secret
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { parse } from '@babel/parser';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { problemSchema } from '../../../shared/base/problem-schema.ts';
import { importReportSchema } from '../../../shared/scenario/import.ts';
import {
  exportFormats,
  revisionSchema,
  type StoredScenario,
  scenarioLineSchema,
  storedScenarioSchema,
} from '../../../shared/scenario/stored-scenario.ts';
import { insertInTest } from '../../testing/insert-in-test.ts';
import { openTestServer, type Reply, type SendOptions, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

const send = (path: string, options?: SendOptions) => server.send(`/api/v1${path}`, options);
const steps = [
  { name: 'Home', method: 'GET', path: '/?lang=${lang}' },
  {
    name: 'Log in',
    method: 'POST',
    path: '/login',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'password=${secret:password}',
    expectStatus: 303,
    recorded: { status: 303, contentType: 'text/html', bodyLength: 12, location: '/account' },
  },
];
const scenario = { name: 'Log in', steps, data: { columns: ['lang'], rows: [['de']] } };

function stored(reply: Reply, status = 200): StoredScenario {
  expect(reply.status, reply.text).toBe(status);
  return storedScenarioSchema.parse(JSON.parse(reply.text));
}
function problemCode(reply: Reply): string {
  return problemSchema.parse(JSON.parse(reply.text)).code;
}
async function create(change: object = {}): Promise<StoredScenario> {
  const body = { scenario: { ...scenario, id: 'mine' }, ...change };
  return stored(await send('/scenarios', { method: 'POST', body }), 201);
}
const listed = async () => z.array(scenarioLineSchema).parse(JSON.parse((await send('/scenarios')).text));

test('a stored scenario is in the list, with its secrets by name, and opens', async () => {
  const unsupported = [{ line: 3, reason: 'not understood' }];
  const made = await create({ origin: 'import', unsupported });
  expect(made).toMatchObject({
    builtIn: false,
    secrets: ['password'],
    revision: { number: 1, origin: 'import' },
    scenario: { id: made.id, name: 'Log in' },
    unsupported,
  });
  expect((await listed()).find(({ id }) => id === made.id)).toMatchObject({
    name: 'Log in',
    steps: 2,
    secrets: ['password'],
  });
  expect(stored(await send(`/scenarios/${made.id}`))).toEqual(made);
});

test('a change is a new revision; the ones before stay as they are', async () => {
  const made = await create({ unsupported: [{ line: 1, reason: 'kept' }], site: 'http://127.0.0.1:8080' });
  const body = { scenario: { ...scenario, name: 'Changed' }, basedOn: 1 };
  const changed = stored(await send(`/scenarios/${made.id}`, { method: 'PUT', body }));
  expect(changed.revisions.map(({ number }) => number)).toEqual([2, 1]);
  expect(changed).toMatchObject({
    scenario: { name: 'Changed' },
    unsupported: made.unsupported,
    site: made.site,
  });
  expect(made.site).toBe('http://127.0.0.1:8080');

  const first = revisionSchema.parse(JSON.parse((await send(`/revisions/${made.revision?.id}`)).text));
  expect(first).toMatchObject({ number: 1, scenarioId: made.id, scenario: { name: 'Log in' } });
  const link = await server.send(`/s/${made.revision?.id}.json`);
  expect(revisionSchema.parse(JSON.parse(link.text))).toEqual(first);
  const again = await server.send(`/s/${made.revision?.id}`, {
    headers: { accept: 'application/json', 'if-none-match': `${link.headers.etag}` },
  });
  expect(again.status).toBe(304);
});

test('of two who edit the same revision the second is told so', async () => {
  const { id } = await create();
  const edit = (name: string) =>
    send(`/scenarios/${id}`, { method: 'PUT', body: { scenario: { ...scenario, name }, basedOn: 1 } });
  const replies = await Promise.all([edit('One'), edit('Two')]);
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(problemCode(replies.find(({ status }) => status === 409) as Reply)).toBe('scenario_changed');
});

test('a deleted scenario is gone, but for the revisions that runs used', async () => {
  const made = await create();
  const second = stored(
    await send(`/scenarios/${made.id}`, { method: 'PUT', body: { scenario: { ...scenario, name: 'B' } } }),
  );
  await insertInTest(server.database, { revisionId: made.revision?.id ?? null });
  expect((await send(`/scenarios/${made.id}`, { method: 'DELETE' })).status).toBe(204);
  expect((await listed()).map(({ id }) => id)).not.toContain(made.id);
  expect(problemCode(await send(`/scenarios/${made.id}`))).toBe('scenario_deleted');
  expect(problemCode(await send(`/scenarios/${made.id}`, { method: 'DELETE' }))).toBe('scenario_deleted');
  expect((await server.send(`/s/${made.revision?.id}.json`)).status).toBe(200);
  expect(problemCode(await server.send(`/s/${second.revision?.id}.json`))).toBe('revision_not_found');
});

test.each([
  ['POST', '/scenarios', { scenario: { name: 'x', steps: [] } }, 'invalid_request'],
  ['POST', '/scenarios', { scenario, actions: [{ type: 'evaluate' }] }, 'invalid_request'],
  ['PUT', `/scenarios/${'0'.repeat(22)}`, { scenario }, 'scenario_not_found'],
  ['PUT', '/scenarios/search', { scenario }, 'invalid_request'],
  ['DELETE', '/scenarios/search', undefined, 'invalid_request'],
  ['GET', '/scenarios/search/export?as=word', undefined, 'invalid_request'],
  ['GET', '/scenarios/search/export?as=k6&origin=javascript:1', undefined, 'invalid_request'],
])('%s %s with %j is refused', async (method, path, body, code) => {
  expect(problemCode(await send(path, { method, body }))).toBe(code);
});

test('every export has a name, no secret, and is what it says', async () => {
  const { id } = await create();
  const texts = await Promise.all(
    exportFormats.map(async (as) => {
      const reply = await send(`/scenarios/${id}/export?as=${as}&origin=http://127.0.0.1:8080/`);
      expect(reply.status).toBe(200);
      expect(reply.headers['content-disposition']).toMatch(/^attachment; filename=log-in\.\w/);
      return [as, reply.text] as const;
    }),
  );
  const by = Object.fromEntries(texts);
  for (const as of ['playwright', 'k6'] as const) {
    expect(parse(by[as] ?? '', { sourceType: 'module', plugins: ['typescript'] }).errors).toEqual([]);
  }
  expect(JSON.parse(by.har ?? '').log.entries).toHaveLength(2);
  expect(JSON.parse(by.json ?? '').steps[1].recorded.location).toBe('/account');
  expect(by.curl).toContain('curl ');
});

const fixture = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../intake/import/fixtures/${name}`, import.meta.url)), 'utf8');
const upload = (path: string, body: string, headers: Record<string, string> = {}) =>
  send(path, { method: 'POST', body, headers: { 'content-type': 'application/octet-stream', ...headers } });

test('a file is imported with what the user chose, and nothing of it is stored', async () => {
  const before = await listed();
  const reply = await upload(
    '/scenarios/import?thinkTimeScale=0&staticFiles=true&accepted=',
    fixture('chrome.har'),
  );
  expect(reply.status, reply.text).toBe(200);
  const report = importReportSchema.parse(JSON.parse(reply.text));
  expect(report.scenario?.steps.every(({ thinkTimeMs }) => thinkTimeMs === 0)).toBe(true);
  expect(report.scenario?.steps[0]?.recorded).toMatchObject({
    status: 200,
    contentType: expect.stringContaining('html'),
  });
  expect(report.correlations.every(({ accepted }) => !accepted)).toBe(true);
  expect(report.leftOut.map(({ reason }) => reason)).not.toContain('static_file');
  expect(await listed()).toEqual(before);
});

test('a client that goes in the middle of its file does not keep the next one waiting', async () => {
  const socket = connect(Number(new URL(server.origin).port), '127.0.0.1');
  const head = [
    ...['POST /api/v1/scenarios/import HTTP/1.1', `Host: ${server.host}`, `Origin: ${server.origin}`],
    ...['Content-Type: application/octet-stream', 'Content-Length: 900000', 'Expect: 100-continue'],
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  await once(socket, 'data');
  await new Promise((resolve) => socket.write(`{"log":${' '.repeat(200_000)}`, resolve));
  socket.destroy();
  const next = await server.send('/api/v1/scenarios/import', {
    ...{ method: 'POST', body: 'curl http://s/' },
    headers: { 'content-type': 'application/octet-stream' },
  });
  expect(next.status).toBe(200);
});

test('a file that is broken, oversized or sent as something else is refused in a sentence', async () => {
  const broken = await upload('/scenarios/import', '{"log":{"entries":[{"request":');
  expect(broken.status).toBe(422);
  expect(broken.text).toContain('Entry 1 of the HAR ends too early.');
  const large = await upload('/scenarios/import', `{"log":{"entries":[${' '.repeat(65 * 1024 * 1024)}`);
  expect(problemCode(large)).toBe('body_too_large');
  const wrong = await upload('/scenarios/import', 'curl http://s/', { 'content-type': 'text/plain' });
  expect(problemCode(wrong)).toBe('unsupported_media_type');
  expect((await upload('/scenarios/import', fixture('chrome-bash.curl.txt'))).status).toBe(200);
});
