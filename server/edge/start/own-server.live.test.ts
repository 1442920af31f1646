/** Protects a team's dashboard from its own programs: the key of its machine, and targets that are the dashboard itself. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request as overHttp } from 'node:http';
import { type RequestOptions, request } from 'node:https';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiPrefix } from '../../../shared/base/addresses.ts';
import { openDatabase } from '../../life/database/open-database.ts';
import { chromiumInTest } from '../../testing/chromium-in-test.ts';
import { authority, issue } from '../../testing/preflight-in-test.ts';
import { configInTest } from '../../testing/server-in-test.ts';
import { addUser } from '../../testing/team-in-test.ts';
import { openUsers } from '../team/open-team.ts';
import { type RunningServer, startServer } from './start-server.ts';

const directory = mkdtempSync(join(tmpdir(), 'tls-toll-own-'));
const certFile = join(directory, 'cert.pem');
const keyFile = join(directory, 'key.pem');
/** Another address of this machine, from which a packet comes as from elsewhere. */
const elsewhere = Object.values(networkInterfaces())
  .flatMap((found) => found ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

let server: RunningServer;
let port: number;

beforeAll(async () => {
  const { cert, key } = await issue('localhost');
  writeFileSync(certFile, cert);
  writeFileSync(keyFile, key);
  const database = await openDatabase({ directory, url: null });
  await addUser(openUsers(database), { email: 'anna@example.com', role: 'admin' });
  await database.close();
  const team = { linksOpen: true, url: null, proxies: 0, oidc: null };
  server = await startServer({
    ...configInTest(directory),
    ...{ host: '0.0.0.0', tls: { certFile, keyFile }, chromiumPath: chromiumInTest, team },
  });
  port = Number(new URL(server.url).port);
});
afterAll(async () => {
  await server?.close();
  rmSync(directory, { recursive: true });
});

type Answer = { status: number; body: { code?: string; detail?: string } };

async function send(options: RequestOptions, body?: object): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const plain = options.protocol === 'http:';
  const sent = (plain ? overHttp : request)(
    {
      ...{
        host: '127.0.0.1',
        port,
        ca: authority.certificatePem,
        servername: 'localhost',
        path: `${apiPrefix}/users`,
      },
      ...options,
      headers: {
        Authorization: `Bearer ${server.key}`,
        'Content-Type': 'application/json',
        ...options.headers,
      },
    },
    async (response) => {
      const body = await text(response);
      resolve({ status: response.statusCode ?? 0, body: JSON.parse(body) });
    },
  );
  sent.once('error', reject);
  sent.end(body === undefined ? undefined : JSON.stringify(body));
  return promise;
}

const local = () => ({ protocol: 'http:', port: Number(new URL(server.localUrl).port) });

describe('the key in server.json', () => {
  test('is that of an admin for a program of this machine', async () => {
    expect(JSON.parse(readFileSync(join(directory, 'server.json'), 'utf8')).key).toBe(server.key);
    expect((await send({})).status).toBe(200);
    expect((await send(local())).status).toBe(200);
  });

  test.skipIf(elsewhere === undefined)('is refused from elsewhere', async () => {
    expect(await send({ localAddress: elsewhere })).toMatchObject({
      status: 401,
      body: { code: 'key_refused', detail: expect.stringMatching(/own machine only/) },
    });
  });

  test.each(['Forwarded', 'Via', 'X-Forwarded-For', 'X-Forwarded-Host', 'X-Forwarded-Proto', 'X-Real-IP'])(
    'is refused with %s, as behind a proxy every peer is loopback',
    async (name) => {
      expect(await send({ headers: { [name]: '127.0.0.1' } })).toMatchObject({
        status: 401,
        body: { code: 'key_refused' },
      });
    },
  );
});

describe('the dashboard itself is no target', () => {
  const post = (path: string, body: object) =>
    send({ ...local(), method: 'POST', path: `${apiPrefix}${path}` }, body);
  const goto = (url: string) => ({ type: 'goto', line: null, page: 0, url });

  /** Every way to name an address to it. */
  const ways: Record<string, (http: string, https: string) => Promise<Answer>> = {
    'a check': (http, https) => post('/preflight', { target: { kind: 'origins', http, https } }),
    'a dry run': (http, https) => post('/scenarios/dry-run', { target: { kind: 'origins', http, https } }),
    'a run': (http, https) =>
      post('/measurements', { kind: 'comparison', target: { kind: 'origins', http, https } }),
    'a run, as its twin': (http) =>
      post('/measurements', {
        kind: 'comparison',
        target: { kind: 'origins', http: 'http://127.0.0.1:9', https: 'https://127.0.0.1:10', twin: http },
      }),
    'a run, as its exporter': (http) =>
      post('/measurements', {
        kind: 'comparison',
        target: {
          ...{ kind: 'origins', http: 'http://127.0.0.1:9', https: 'https://127.0.0.1:10' },
          prometheus: { url: `${http}/metrics` },
        },
      }),
    'a probe': (_, https) => post('/probe', { url: https }),
    'a recording': (http) => post('/recordings', { url: http }),
    'a recording over HTTPS': (_, https) => post('/recordings', { url: https }),
  };

  test.each(Object.keys(ways))('%s', async (way) => {
    for (const host of ['127.0.0.1', 'localhost', ...(elsewhere === undefined ? [] : [elsewhere])]) {
      const answer = await ways[way]?.(`http://${host}:${local().port}`, `https://${host}:${port}`);
      expect(answer, host).toMatchObject({ body: { code: 'target_not_permitted' } });
      if (host === '127.0.0.1') expect(answer?.body.detail).toMatch(/is this dashboard/);
    }
  });

  test('a replay that goes there', async () => {
    const actions = [goto(`http://127.0.0.1:${local().port}/api/v1/health`)];
    const { body } = (await post('/recordings/replays', { actions })) as { body: { sid?: string } };
    const end = await post(`/recordings/${body.sid}/finish`, {});
    expect(end.body).toMatchObject({ code: 'target_not_permitted' });
  });
});
