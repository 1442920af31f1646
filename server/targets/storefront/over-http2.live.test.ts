/** Protects the storefront over HTTP/2: the same answers as over HTTP/1.1. */
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect as connectHttp2 } from 'node:http2';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isEncrypted, type Transport, transportFacts } from '../../../shared/base/transport.ts';
import { transportSchema } from '../../../shared/base/transport-schema.ts';
import type { Listener } from '../../../shared/target/target.ts';
import { ask, askForm } from '../../testing/ask-in-test.ts';
import { type Authority, openAuthority } from '../certificates/certificate-authority.ts';
import { createApplication } from './application.ts';
import { type AccessLog, openAccessLog } from './exchange.ts';
import { adaptedTo, createListener, openStore } from './listener.ts';
import { searchScenario } from './search-scenario.ts';
import { seedSqlite } from './store.ts';

type Shop = { server: Server; counts: { requests: number }; accessLog: AccessLog; listener: Listener };

let directory: string;
let authority: Authority;
const shops = {} as Record<Transport, Shop>;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tls-toll-http2-shop-'));
  authority = await openAuthority(join(directory, 'authority'));
  seedSqlite(join(directory, 'shop.sqlite'));
  for (const transport of transportSchema.options) shops[transport] = await open(transport);
});
afterAll(async () => {
  for (const { server } of Object.values(shops)) server.close();
  await rm(directory, { recursive: true, force: true });
});

async function open(transport: Transport): Promise<Shop> {
  const { httpVersion } = transportFacts[transport];
  const store = await openStore({ kind: 'sqlite', path: join(directory, 'shop.sqlite') });
  const accessLog = openAccessLog(join(directory, `${transport}.log`));
  const application = createApplication(store, accessLog);
  const { server, counts } = createListener(adaptedTo(httpVersion, application), {
    certificate: isEncrypted(transport) ? authority : null,
    httpVersion,
    certificateCompression: 'none',
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const ca = isEncrypted(transport) ? authority.caPem : null;
  const listener: Listener = {
    arm: 'baseline',
    transport,
    hostname: 'localhost',
    address: '127.0.0.1',
    port,
    ca,
    pid: null,
  };
  return { server, counts, accessLog, listener };
}

describe.each(['h2c', 'h2'] as const)('over %s', (transport) => {
  const questions = [
    ...searchScenario.steps,
    { path: '/account' },
    { path: '/', method: 'HEAD' },
    { path: '/assets/site.css' },
    { path: '/nothing' },
    { path: '/search', method: 'PUT' },
    {
      path: '/search',
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"q":"lamp"}',
    },
    {
      path: '/search',
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `q=lamp&x=${'x'.repeat(5000)}`,
    },
  ];
  test.for(questions.map((question) => [question.method ?? 'GET', question.path, question] as const))(
    '%s %s is answered as over HTTP/1.1',
    async ([, , { path, method = 'GET', headers = {}, body = '' }]) => {
      const question = { path, method, headers, ...(body === '' ? {} : { body }) };
      const [ours, theirs] = await Promise.all([
        ask(shops[transport].listener, question),
        ask(shops.http.listener, question),
      ]);
      expect(ours.status).toBe(theirs.status);
      expect(ours.body.equals(theirs.body)).toBe(true);
      const names = (fields: object) =>
        Object.keys(fields).filter((name) => !/^(:status|connection|keep-alive)$/.test(name));
      expect(names(ours.headers).sort()).toEqual(names(theirs.headers).sort());
      expect(ours.headers['server-timing']).toMatch(/^app;dur=\d/);
    },
  );

  test('a validator saves the body', async () => {
    const { etag = '' } = (await ask(shops[transport].listener, { path: '/assets/site.css' })).headers;
    const again = await ask(shops[transport].listener, {
      path: '/assets/site.css',
      headers: { 'if-none-match': etag },
    });
    expect([again.status, again.body.length]).toEqual([304, 0]);
  });

  test('each request is counted and has its line in the access log', async () => {
    const { counts, accessLog, listener } = shops[transport];
    const before = counts.requests;
    expect((await askForm(listener, 'q=lamp')).status).toBe(200);
    expect(counts.requests - before).toBe(1);
    accessLog.close();
    const log = await readFile(join(directory, `${transport}.log`), 'utf8');
    expect(log.trimEnd().split('\n').at(-1)).toMatch(
      /^127\.0\.0\.1 - - \[.*\] "POST \/search HTTP\/2\.0" 200 \d{5,} \d+$/,
    );
  });
});

test.each([
  ['h2', 'http/1.1'],
  ['https', 'h2'],
] as const)('a listener of %s has no agreement for %s', async (transport, protocol) => {
  const { port } = shops[transport].listener;
  const ca = authority.caPem;
  const socket = connectTls({
    port,
    host: '127.0.0.1',
    servername: 'localhost',
    ca,
    ALPNProtocols: [protocol],
  });
  await expect(once(socket, 'secureConnect')).rejects.toThrow(/no application protocol/);
});

test('a listener of http does not answer HTTP/2', async () => {
  const session = connectHttp2(`http://127.0.0.1:${shops.http.listener.port}`);
  session.on('error', () => {});
  const stream = session.request({ ':path': '/' });
  await expect(once(stream, 'response')).rejects.toThrow();
});
