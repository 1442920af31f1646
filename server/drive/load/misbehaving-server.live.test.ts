/** Protects the generator from what a server may do wrong below HTTP: each is an outcome of its own. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createHttps, type Server as SecureServer } from 'node:https';
import { type AddressInfo, connect, createServer as createTcp, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import tls, { type TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { tlsProfileSchema } from '../../../shared/base/tls-profile.ts';
import type { LoadResult } from '../../../shared/kinds/comparison/slot.ts';
import { scenarioSchema } from '../../../shared/scenario/scenario.ts';
import type { Listener } from '../../../shared/target/target.ts';
import { startRenegotiating } from '../../bench/field-connections.ts';
import { isInstalled } from '../../bench/nginx.ts';
import { openPlace } from '../../bench/open-place.ts';
import { type Issued, issueAuthority, issueServer } from '../../targets/certificates/issue-certificate.ts';
import { type Generator, startGenerator } from './start-generator.ts';

const hostname = 'localhost';
let generator: Generator;
let authority: Issued;
let first: Issued;
let second: Issued;
const opened: { server: Server | SecureServer; sockets: Set<Socket> }[] = [];

beforeAll(async () => {
  const validity = {
    notBefore: new Date(Date.now() - 3_600_000),
    notAfter: new Date(Date.now() + 3_600_000),
  };
  authority = await issueAuthority('authority in test', validity);
  first = await issueServer([hostname], validity, authority);
  second = await issueServer([hostname], validity, authority);
  generator = await startGenerator();
});
afterAll(() => generator.stop());
afterEach(() => {
  for (const { server, sockets } of opened.splice(0)) {
    server.close();
    for (const socket of sockets) socket.destroy();
  }
});

async function listen(server: Server | SecureServer): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  opened.push({ server, sockets });
  return (server.address() as AddressInfo).port;
}

async function pointAt(
  port: number,
  transport: Listener['transport'],
  connectionPolicy: 'keep-alive' | 'connection-per-request',
  method: 'GET' | 'POST' = 'GET',
  trusted = authority.certificatePem,
) {
  const ca = transport === 'https' ? trusted : null;
  await generator.configure({
    listeners: [{ arm: 'baseline', transport, hostname, address: '127.0.0.1', port, ca, pid: null }],
    scenario: scenarioSchema.parse({ name: 'page', steps: [{ name: 'page', method, path: '/' }] }),
    tls: tlsProfileSchema.parse({}),
    connectionPolicy,
    connections: 4,
    requestTimeoutMs: 500,
  });
}

async function load(): Promise<LoadResult> {
  await generator.prepare('baseline');
  return generator.run('baseline', { durationMs: 300, discardMs: 0, ratePerS: null });
}

function expectAllWell(result: LoadResult) {
  expect(result.errors).toEqual([]);
  expect(result.succeeded).toBeGreaterThan(0);
}

const identity = ({ certificatePem, keyPem }: Issued) => ({ key: keyPem, cert: certificatePem });

const secure = () => createHttps(identity(first), (_request, response) => response.end('fine'));

test('a server that half closes while the request is under way, and goes on reading, closed early', async () => {
  const server = createTcp({ allowHalfOpen: true }, (socket) => {
    socket.once('data', () => socket.end());
    socket.resume();
  });
  await pointAt(await listen(server), 'http', 'keep-alive');
  const result = await load();
  expect(result.succeeded).toBe(0);
  expect(new Set(result.errors.map(({ outcome }) => outcome))).toEqual(new Set(['connection_closed_early']));
});

test.each([
  ['GET', 'is sent again on a new one'],
  ['POST', 'is counted, because it may have arrived'],
] as const)('a %s that meets the close of an idle connection %s', async (method, _what) => {
  let met = 0;
  const server = createTcp((socket) => {
    let answeredAtMs = Number.POSITIVE_INFINITY;
    socket.on('data', () => {
      // Simulates a connection that was closed just before.
      if (performance.now() - answeredAtMs >= 1000) {
        met++;
        socket.destroy();
        return;
      }
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfine');
      answeredAtMs = performance.now();
    });
  });
  await pointAt(await listen(server), 'http', 'keep-alive', method);
  expectAllWell(await load());
  await pause(1100);
  const { errors, succeeded, idleCloses } = await load();
  expect(met).toBeGreaterThan(0);
  expect(succeeded).toBeGreaterThan(0);
  expect(errors.reduce((sum, { count }) => sum + count, 0)).toBe(method === 'GET' ? 0 : met);
  expect(idleCloses).toBe(met);
  for (const { outcome } of errors) expect(outcome).toBe('closed_idle');
});

/** A fatal alert without encryption, which nobody may send once the handshake is done. */
const alert = Buffer.from([21, 3, 3, 0, 2, 2, 40]);

test('a TLS alert in the middle of a response is a counted outcome', async () => {
  let answering = 0;
  const origin = createHttps(identity(first), (_request, response) => {
    answering++;
    response.writeHead(200, { 'content-length': 1000 });
    response.write('half');
  });
  const originPort = await listen(origin);
  const relay = createTcp((near) => {
    const before = answering;
    const far = connect(originPort, '127.0.0.1');
    far.on('error', () => {});
    near.on('close', () => far.destroy());
    near.pipe(far);
    far.on('data', (chunk) => {
      near.write(chunk);
      if (answering > before) near.write(alert);
    });
  });
  await pointAt(await listen(relay), 'https', 'connection-per-request');
  const result = await load();
  expect(result.succeeded).toBe(0);
  expect(result.errors.length).toBeGreaterThan(0);
  expect(new Set(result.errors.map(({ outcome }) => outcome))).toEqual(new Set(['tls_failed']));
});

test.each([
  ['another certificate of the same authority', () => identity(second), 'tls_changed'],
  ['another suite', () => ({ ...identity(first), ciphers: 'TLS_AES_128_GCM_SHA256' }), 'tls_changed'],
  ['another version', () => ({ ...identity(first), maxVersion: 'TLSv1.2' as const }), 'tls_changed'],
] as const)(
  'a server that goes on with %s is noticed, and loaded again when it is itself again',
  async (_what, context, outcome) => {
    const server = secure();
    await pointAt(await listen(server), 'https', 'connection-per-request');
    expectAllWell(await load());
    server.setSecureContext(context());
    const changed = await load();
    expect(changed.errors.map((group) => group.outcome)).toContain(outcome);
    server.setSecureContext(identity(first));
    expectAllWell(await load());
  },
);

test.each(['before the response', 'in the middle of it'] as const)(
  'a server that renegotiates %s is answered, and no request is sent again',
  async (when) => {
    // Node ends a connection at its fourth, because it takes any for the client's own.
    Object.assign(tls, { CLIENT_RENEG_LIMIT: Number.POSITIVE_INFINITY });
    const seen = { requests: 0, renegotiations: 0 };
    const server = createHttps(
      { ...identity(first), maxVersion: 'TLSv1.2', keepAliveTimeout: 60_000 },
      (request, response) => {
        seen.requests++;
        response.setHeader('content-length', 8);
        if (when === 'in the middle of it') response.write('half');
        (request.socket as TLSSocket).renegotiate({}, (error) => {
          if (error === null) seen.renegotiations++;
          response.end(when === 'in the middle of it' ? 'half' : 'the rest');
        });
      },
    );
    await pointAt(await listen(server), 'https', 'keep-alive');
    const result = await load();
    expectAllWell(result);
    expect(result).toMatchObject({
      ...{ requests: seen.requests, renegotiations: seen.renegotiations },
      ...{ connectionsOpened: 0, handshakesFull: 0, handshakesResumed: 0 },
    });
    expect(result.renegotiations).toBe(result.requests);
    expect(result.lifetime.connectionsOpened).toBe(4);
  },
);

test.runIf(isInstalled('apache2')).each(['keep-alive', 'connection-per-request'] as const)(
  'Apache, which renegotiates for the certificate of a location, is counted as it was with %s',
  async (policy) => {
    const place = await openPlace();
    try {
      const { https } = await startRenegotiating(place);
      await pointAt(Number(new URL(https).port), 'https', policy, 'GET', place.authority.caPem);
      const result = await load();
      expectAllWell(result);
      const { lifetime, requests } = result;
      const logged = () => readFileSync(join(place.directory, 'access.log'), 'utf8').split('\n').slice(0, -1);
      // The log has a line once a response is on its way.
      await expect.poll(() => logged().length).toBe(requests);
      // `%k`: requests that the connection had before.
      const connections = logged().filter((line) => line === '200 0').length;
      expect(lifetime.connectionsOpened).toBeGreaterThanOrEqual(connections);
      expect(result.renegotiations).toBe(connections);
      expect(connections).toBe(policy === 'keep-alive' ? 4 : requests);
    } finally {
      await place.close();
    }
  },
);
