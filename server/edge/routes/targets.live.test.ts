/** Protects the endpoints of other hosts: who may ask, what is logged, and the end of all load. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { problemSchema } from '../../../shared/base/problem-schema.ts';
import { permittedTargetsSchema } from '../../../shared/target/target.ts';
import { openTestServer, type TestServer } from '../../testing/test-server.ts';
import { untilAsync } from '../../testing/until-async.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer({ targets: ['10.9.0.0/16', 'agent.test'] });
});
afterAll(() => server.close());

const post = (path: string, body?: object, headers = {}) =>
  server.send(`/api/v1${path}`, { method: 'POST', headers, ...(body === undefined ? {} : { body }) });
const list = async () =>
  permittedTargetsSchema.parse(JSON.parse((await server.send('/api/v1/targets')).text));

const ofEnvironment = [{ from: 'environment' }, { from: 'environment' }];

test('a host is allowed, listed with who and why, and withdrawn', async () => {
  const { status, text } = await post('/targets', { host: '10.9.8.7', why: 'staging' });
  expect(status).toBe(201);
  const { id } = JSON.parse(text) as { id: string };
  expect((await list()).targets).toMatchObject([
    ...ofEnvironment,
    { id, host: '10.9.8.7', why: 'staging', by: expect.any(String) },
  ]);
  expect((await server.send(`/api/v1/targets/${id}`, { method: 'DELETE' })).status).toBe(204);
  expect((await list()).targets).toMatchObject(ofEnvironment);
  expect((await server.send(`/api/v1/targets/${id}`, { method: 'DELETE' })).status).toBe(404);
});

test('a page of another site can neither allow a host nor stop anything', async () => {
  for (const path of ['/targets', '/stop']) {
    const { status, text } = await post(path, { host: '10.9.8.7', why: 'x' }, { Origin: 'http://evil.test' });
    expect([status, problemSchema.parse(JSON.parse(text)).code]).toEqual([403, 'cross_origin']);
  }
});

test('all load stops: what runs and what waits, and the log says who', async () => {
  const created = [
    await post('/measurements', { kind: 'comparison' }),
    await post('/measurements', { kind: 'comparison' }),
  ];
  const ids = created.map(({ text }) => (JSON.parse(text) as { id: string }).id);
  expect(JSON.parse((await post('/stop')).text)).toEqual({ stopped: 2 });
  for (const id of ids) {
    const document = await untilAsync(
      async () =>
        JSON.parse((await server.send(`/r/${id}.json`)).text) as { state: string; problem: unknown },
      ({ state }) => state === 'incomplete',
    );
    expect(document.problem).toMatchObject({ code: 'load_stopped' });
  }
  expect((await list()).log[0]).toMatchObject({ what: 'stopped' });
  expect(JSON.parse((await post('/stop')).text)).toEqual({ stopped: 0 });
});

test('the log shows every attempt on an allowed host, whether it succeeded or not', async () => {
  const origins = { http: 'http://10.9.8.7', https: 'https://10.9.8.7' };
  const agent = { address: 'agent.test:9123', fingerprint: Array(32).fill('AB').join(':') };
  const target = { ...origins, agent };
  const goto = (url: string) => ({ type: 'goto', line: null, page: 0, url });
  await post('/preflight', { target: { ...origins, http: 'http://10.8.8.7' } });
  await post('/measurements', {
    kind: 'comparison',
    target,
    secrets: { agent_token: 'a token of the agent' },
  });
  await post('/probe', { url: 'https://10.9.8.7' });
  await post('/recordings/replays', { actions: [goto('http://10.9.8.7/')] });
  const tried = (await list()).log
    .filter(({ note }) => note === null)
    .map(({ what, host }) => `${what} ${host}`);
  // The other endpoints of this file have no other host in them.
  expect(tried.filter((line) => /^(checked|probed|replayed)/.test(line)).toSorted()).toEqual([
    'checked 10.9.8.7',
    'checked 10.9.8.7',
    'checked agent.test',
    'probed 10.9.8.7',
    'replayed 10.9.8.7',
  ]);
});
