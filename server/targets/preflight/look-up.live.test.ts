/** Protects lookups: what answers at an address, its other side only where that serves the same, and the servers of this machine. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer as createHttp, type RequestListener } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { lookupRequestSchema } from '../../../shared/target/preflight.ts';
import { hasNginx, startNginxInTest } from '../../testing/nginx-in-test.ts';
import { issue, issueSelfSigned, page } from '../../testing/preflight-in-test.ts';
import { openAuthority } from '../certificates/certificate-authority.ts';
import { findLocalServers, lookUp } from './look-up.ts';

const open: Server[] = [];
afterEach(() => {
  for (const server of open.splice(0)) server.close();
});

/** Below the ports that are taken at random. */
async function listen(server: Server): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    server.listen(port, '127.0.0.1');
    const [event] = await Promise.race([
      once(server, 'listening').then(() => ['listening']),
      once(server, 'error').then(() => ['error']),
    ]);
    if (event === 'error') continue;
    open.push(server);
    return (server.address() as AddressInfo).port;
  }
}

test('one process that speaks both is one server; silent or switching ports and the dashboard are excluded', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'tls-toll-local-'));
  try {
    const { certPem: cert, keyPem: key } = await openAuthority(directory);
    const http = await listen(createHttp((_request, response) => response.end('x')));
    const https = await listen(createHttps({ cert, key }, (_request, response) => response.end('x')));
    const silent = await listen(createServer((socket) => socket.on('error', () => {})));
    const switching = await listen(
      createHttp((_request, response) =>
        response.writeHead(101, { connection: 'Upgrade', upgrade: 'websocket' }).end(),
      ),
    );
    const found = await findLocalServers(null);
    const ours = found.find((server) => server.http.includes(http));
    expect(ours?.https).toContain(https);
    expect(ours?.program).toBe('node');
    const ports = found.flatMap((server) => [...server.http, ...server.https]);
    expect(ports).not.toContain(silent);
    expect(ports).not.toContain(switching);
    expect((await findLocalServers(process.pid)).flatMap((server) => server.http)).not.toContain(http);
  } finally {
    await rm(directory, { recursive: true });
  }
});

type Known = { trusted?: { origin: string; fingerprint: string }; known?: string };
const look = (addresses: string[], { known, ...asked }: Known = {}) =>
  lookUp(lookupRequestSchema.parse({ addresses, ...asked }), {}, async () => known ?? null);

/** At this port and no other. */
async function listenAt(port: number, server: Server): Promise<void> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  open.push(server);
}

const shop: RequestListener = page('<h1>Shop</h1>'.repeat(100));
const admin: RequestListener = page('<h1>Administration</h1>');

describe('a lookup', () => {
  test('finds the other side of a port, in both directions, and whether its certificate is trusted', async () => {
    const http = await listen(createHttp(shop));
    const https = await listen(createHttps(await issueSelfSigned('shop'), shop));
    for (const address of [String(http), String(https)].map((port) => `127.0.0.1:${port}`)) {
      const fromMs = performance.now();
      const { found, same, missing, others } = await look([address]);
      expect(performance.now() - fromMs).toBeLessThan(4_000);
      expect({ same, missing, others }).toEqual({ same: true, missing: null, others: [] });
      expect(found.map(({ origin }) => origin)).toEqual([
        `http://127.0.0.1:${http}`,
        `https://127.0.0.1:${https}`,
      ]);
      expect(found[1]).toMatchObject({
        ...{ program: 'node', status: 200, bodyBytes: 1300 },
        tls: { protocol: 'TLSv1.3', certificate: { selfSigned: true, trusted: 'here' } },
      });
    }
  });

  test('accepts another side only if it serves the same page', async () => {
    const http = await listen(createHttp(shop));
    await listenAt(http + 1, createHttps(await issue('127.0.0.1'), admin));
    const { found, others, missing } = await look([`127.0.0.1:${http}`]);
    expect(found.map(({ origin }) => origin)).toEqual([`http://127.0.0.1:${http}`]);
    expect(others.map(({ origin }) => origin)).toContain(`https://127.0.0.1:${http + 1}`);
    expect(missing).toBeNull();
    const two = await look([`127.0.0.1:${http}`, `127.0.0.1:${http + 1}`]);
    expect(two).toMatchObject({ same: false, others: [] });
    expect(two.found).toHaveLength(2);
  });

  test('lists the ports that did not answer, six at most', async () => {
    const { child, port } = await startAlone();
    const { found, missing } = await look([`http://127.0.0.1:${port}`]);
    expect(found).toHaveLength(1);
    expect(missing).toMatchObject({ scheme: 'https' });
    expect(missing?.ports).toEqual(expect.arrayContaining([port, 443, 8443, port + 1]));
    expect(missing?.ports.length).toBeLessThanOrEqual(6);
    child.kill();
  });

  test('asks about a changed certificate at an address where one was trusted', async () => {
    const http = await listen(createHttp(shop));
    const https = await listen(createHttps(await issueSelfSigned('shop'), shop));
    const addresses = [`127.0.0.1:${http}`, `127.0.0.1:${https}`];
    const [, before] = (await look(addresses)).found;
    const fingerprint = before?.tls?.certificate.fingerprint ?? '';
    const other = `${'AB:'.repeat(31)}AB`;
    const trusted = async (more: Known) => (await look(addresses, more)).found[1]?.tls?.certificate.trusted;
    expect(await trusted({ known: fingerprint })).toBe('here');
    expect(await trusted({ known: other })).toBe('asks');
    const origin = `https://127.0.0.1:${https}`;
    expect(await trusted({ trusted: { origin, fingerprint: other } })).toBe('asks');
    expect(await trusted({ trusted: { origin: 'https://127.0.0.1:1', fingerprint: other } })).toBe('here');
  });

  test.each([
    ['127.0.0.1:1', 'target_unreachable', /^Nothing is listening on 127\.0\.0\.1:1/],
    ['10.0.0.1:8080', 'target_not_permitted', /private network/],
    ['shop.invalid', 'target_not_permitted', /does not resolve/],
    ['me:secret@127.0.0.1', 'invalid_request', /user name and password/],
    ['ftp://127.0.0.1', 'invalid_request', /is not an address/],
    ['a b', 'invalid_request', /is not an address/],
    ['[::', 'invalid_request', /is not an address/],
  ])('of %s says why it cannot be looked up', async (address, code, detail) => {
    await expect(look([address])).rejects.toMatchObject({
      problem: { code, detail: expect.stringMatching(detail) },
    });
  });

  test('ends in time if a listener never answers', async () => {
    const silent = await listen(createServer((socket) => socket.on('error', () => {})));
    const fromMs = performance.now();
    await expect(look([`127.0.0.1:${silent}`])).rejects.toMatchObject({
      problem: { code: 'target_unreachable' },
    });
    expect(performance.now() - fromMs).toBeLessThan(4_000);
  });

  test.runIf(hasNginx)(
    'names the second plain listener of an nginx, and whether its certificate is trusted',
    async () => {
      const directory = await mkdtemp(join(tmpdir(), 'tls-toll-twin-'));
      const nginx = await startNginxInTest(await openAuthority(directory), ['http', 'https', 'twin']);
      const { found, twin } = await look([`127.0.0.1:${nginx.httpPort}`]);
      expect(found[0]).toMatchObject({
        server: expect.stringMatching(/^nginx( \d+\.\d+)?$/),
        program: 'nginx',
      });
      expect(found[0]?.processes).toBeGreaterThan(1);
      expect(found[1]?.origin).toBe(`https://127.0.0.1:${nginx.httpsPort}`);
      expect(found[1]?.tls?.certificate).toMatchObject({ selfSigned: false, trusted: 'here' });
      expect(twin).toBe(`http://127.0.0.1:${nginx.twinPort}`);
      await nginx.stop();
      await rm(directory, { recursive: true });
    },
  );

  test('names no second listener that serves a different page', async () => {
    const http = await listen(createHttp(shop));
    await listen(createHttp(admin));
    await listen(createHttp((_request, response) => response.writeHead(404).end('<h1>Shop</h1>')));
    const https = await listen(createHttps(await issue('127.0.0.1'), shop));
    const twin = async () => (await look([`127.0.0.1:${http}`, `127.0.0.1:${https}`])).twin;
    expect(await twin()).toBeNull();
    const alike = await listen(createHttp(shop));
    expect(await twin()).toBe(`http://127.0.0.1:${alike}`);
  });
});

/** A plain server in a process of its own, which listens on nothing else. */
async function startAlone() {
  const program = `require('node:http').createServer((_q, r) => r.end('alone')).listen(0, '127.0.0.1', function () { process.send(this.address().port) })`;
  const child = spawn(process.execPath, ['--eval', program], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [port] = (await once(child, 'message')) as [number];
  return { child, port };
}
