/** Protects the values of secrets: they reach the target and nothing else. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is how a scenario writes a secret
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createHttp, type RequestListener } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CreateRunInput } from '../../../shared/kinds/comparison/run-request.ts';
import { startServer } from '../../edge/start/start-server.ts';
import { openAuthority } from '../../targets/certificates/certificate-authority.ts';
import { clientInTest, configInTest, isEnd } from '../../testing/server-in-test.ts';
import { textsOfData } from '../../testing/texts-of-data.ts';

const value = 'open sesame/99';
const directory = mkdtempSync(join(tmpdir(), 'tls-toll-secrets-'));
const asked: string[] = [];
const servers: Server[] = [];
let target: CreateRunInput['target'];

/** How many more requests are let in; the others are sent away, with the secret in the address in many spellings. */
let lettingIn = 0;
const spellings = [
  encodeURIComponent(value),
  encodeURIComponent(JSON.stringify({ value })),
  Buffer.from(value).toString('base64'),
  Buffer.from(`ann:${value}`).toString('base64url'),
];
const application: RequestListener = (request, response) => {
  asked.push(request.url ?? '');
  if (lettingIn-- > 0) response.end('Welcome');
  else {
    const query = request.url?.slice(request.url.indexOf('?'));
    const echo = spellings.join('&');
    response.writeHead(302, { location: `/welcome${query}&${echo}`, 'x-echo': echo }).end();
  }
};

beforeAll(async () => {
  const { caPem, certPem, keyPem } = await openAuthority(join(directory, 'authority'));
  servers.push(createHttp(application), createHttps({ cert: certPem, key: keyPem }, application));
  const [http, https] = await Promise.all(
    servers.map(async (server) => {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      return `127.0.0.1:${(server.address() as AddressInfo).port}`;
    }),
  );
  target = { http: `http://${http}`, https: `https://${https}`, ca: caPem };
});
afterAll(() => {
  for (const server of servers) server.close();
  rmSync(directory, { recursive: true });
});

async function serve() {
  const server = await startServer(configInTest(join(directory, 'data')));
  return { server, ...clientInTest(server.url) };
}

const runOf = (path: string): CreateRunInput => ({
  target,
  scenario: { name: 'Log in', steps: [{ name: 'Log in', method: 'GET', path }] },
  secrets: { key: value },
});

const anySpelling = /open.{0,3}sesame|b3BlbiBzZXNhbWUv|5vcGVuIHNlc2FtZS|OpvcGVuIHNlc2Ft/;

/** Stored texts that contain the value, however it is spelled. */
function placesWithValue(): string[] {
  return textsOfData(join(directory, 'data'))
    .filter(({ text }) => anySpelling.test(text))
    .map(({ where }) => where);
}

test('a value reaches the target, and is in no document, event or file, whatever the target says of it', async () => {
  const { server, create, until, document, api } = await serve();
  const missing = await create({ ...runOf('/login?key=${secret:key}'), secrets: {} }).catch((error) => error);
  expect(missing.problem).toMatchObject({
    code: 'secret_missing',
    detail: 'The secret “key” has no value.',
    errors: [{ field: 'secrets.key' }],
  });

  lettingIn = 0;
  const refused = await create(runOf('/login?key=${secret:key}')).catch((error) => error);
  expect(refused.problem).toMatchObject({
    code: 'scenario_unfit',
    detail: expect.stringContaining('redirects to /welcome?key=${secret:key}'),
  });

  // One request a side before it is queued; the run itself is sent away.
  lettingIn = 2;
  const { id } = await create(runOf('/login?key=${secret:key}'));
  await until(id, isEnd);
  expect(asked).toContain('/login?key=open%20sesame%2F99');
  const { state, problem, scenario, command } = await document(id);
  expect(state).toBe('refused');
  expect(problem?.detail).toContain('redirects to /welcome?key=${secret:key}');
  expect(scenario.steps[0]?.path).toBe('/login?key=${secret:key}');
  expect(command).toContain('--secret key=KEY');
  const events = [];
  for await (const event of api.events(id)) events.push(event);
  expect(`${await api.readDocument(`/r/${id}`)}${JSON.stringify(events)}`).not.toMatch(anySpelling);
  expect(placesWithValue()).toEqual([]);
  await server.close();
});

test('a preflight and a dry run show no value either', async () => {
  const { server } = await serve();
  lettingIn = 0;
  const { scenario, ...request } = runOf('/login?key=${secret:key}');
  for (const path of ['preflight', 'scenarios/dry-run']) {
    const reply = await fetch(`${server.url}/api/v1/${path}`, {
      method: 'POST',
      headers: { Origin: server.url, 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...request, scenario }),
    });
    const text = await reply.text();
    expect(reply.status, text).toBe(200);
    expect(text).toContain('/welcome?key=${secret:key}');
    expect(text).not.toContain('sesame');
  }
  const search = { ...runOf('/search?q=${secret:key}'), target: 'storefront' };
  const reply = await fetch(`${server.url}/api/v1/scenarios/dry-run`, {
    method: 'POST',
    headers: { Origin: server.url, 'Content-Type': 'application/json' },
    body: JSON.stringify(search),
  });
  expect(await reply.json()).toMatchObject({ preflight: { ok: true } });
  await server.close();
  expect(placesWithValue(), 'the shop’s own log included').toEqual([]);
});

test('a run that waited with secrets ends when the server was restarted, and says why', async () => {
  const first = await serve();
  lettingIn = Number.POSITIVE_INFINITY;
  await first.create(runOf('/login?key=${secret:key}'));
  const { id } = await first.create(runOf('/login?key=${secret:key}'));
  await first.server.close();
  expect(placesWithValue()).toEqual([]);

  const second = await serve();
  expect(await second.until(id, isEnd)).toEqual({ type: 'end', state: 'interrupted' });
  expect((await second.document(id)).problem).toMatchObject({
    code: 'secrets_lost',
    detail: expect.stringContaining('the values of its secrets (key) were kept in memory only'),
  });
  await second.server.close();
});
