/** Protects the load generator: what it counts is what the server saw, whatever the server does. */
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createHttp, type RequestListener, type Server } from 'node:http';
import { createServer as createHttps, type Server as SecureServer } from 'node:https';
import { type AddressInfo, createServer as createTcp, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Scenario } from '../../../shared/scenario/scenario.ts';
import { scenarioSchema } from '../../../shared/scenario/scenario.ts';
import type { Listener } from '../../../shared/target/target.ts';
import { type Authority, openAuthority } from '../../targets/certificates/certificate-authority.ts';
import type { Configuration } from './load-messages.ts';
import { type Generator, startGenerator } from './start-generator.ts';

const directory = mkdtempSync(join(tmpdir(), 'tls-toll-generator-'));
const servers: { close(): unknown }[] = [];
let authority: Authority;
let generator: Generator;

beforeAll(async () => {
  authority = await openAuthority(directory);
  generator = await startGenerator();
});
afterAll(async () => {
  await generator.stop();
  rmSync(directory, { recursive: true });
});
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

const scenario: Scenario = scenarioSchema.parse({
  name: 'two steps',
  steps: [
    { name: 'first', method: 'GET', path: '/a' },
    { name: 'second', method: 'POST', path: '/b', body: 'x=1' },
  ],
});

type Options = Partial<Omit<Configuration, 'listeners'>>;

function configure(listener: Listener, options: Options = {}) {
  return generator.configure({
    listeners: [listener],
    scenario,
    tls: { version: 'TLSv1.3', resumption: 'none' },
    connectionPolicy: 'keep-alive',
    connections: 4,
    requestTimeoutMs: 500,
    ...options,
  });
}

function listenerAt(port: number, transport: 'http' | 'https'): Listener {
  const ca = transport === 'https' ? authority.caPem : null;
  return {
    arm: 'baseline',
    transport,
    hostname: authority.hostname,
    address: '127.0.0.1',
    port,
    ca,
    pid: null,
  };
}

async function listen<T extends Server | SecureServer>(
  server: T,
): Promise<{ server: T; port: number; sockets: Set<Socket> }> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket));
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  servers.push({
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  });
  return { server, port: (server.address() as AddressInfo).port, sockets };
}

const answer: RequestListener = (request, response) => {
  request.resume();
  response.setHeader('Server-Timing', ['cdn;dur=9', 'app;desc="a, b";dur="1.5"', 'webapp;dur=91.5']);
  response.end('y'.repeat(20_000));
};

const plain = () => listen(createHttp(answer));
const secure = () => listen(createHttps({ key: authority.keyPem, cert: authority.certPem }, answer));

const closedLoop = { durationMs: 300, discardMs: 50, ratePerS: null };

test('a closed loop keeps every user busy and counts what the server saw', async () => {
  let seen = 0;
  const { port, sockets } = await listen(
    createHttp((request, response) => {
      seen++;
      answer(request, response);
    }),
  );
  await configure(listenerAt(port, 'http'));
  const prepared = await generator.prepare('baseline');
  const result = await generator.run('baseline', closedLoop);
  expect(prepared.connectionsOpened).toBe(4);
  expect(sockets.size).toBe(4);
  expect(result.requests).toBe(seen);
  expect(result.succeeded).toBe(result.started);
  expect(result.succeeded * 2).toBe(result.requests);
  expect(result.bodyBytes).toBe(result.requests * 20_000);
  expect(result.executionTimeUs).toBe(3000);
  expect(result.errors).toEqual([]);
  expect(result.latencyUs.count).toBeGreaterThan(0);
  expect(result.latencyUs.p50).toBeGreaterThanOrEqual(result.steps[0]?.latencyUs.p50 ?? Infinity);
});

test('a burst counts the part of each transaction that lay inside its window', async () => {
  const { port } = await listen(
    createHttp((request, response) => {
      request.resume();
      setTimeout(() => response.end('late'), 60);
    }),
  );
  await configure(listenerAt(port, 'http'));
  await generator.prepare('baseline');
  await generator.clear('baseline');
  const { transactionsInWindow } = await generator.burst('baseline', { ...closedLoop, discardMs: 0 });
  const { succeededInWindow, succeeded } = await generator.collect('baseline');
  expect(transactionsInWindow).toBeGreaterThan(succeededInWindow);
  expect(transactionsInWindow).toBeLessThan(succeeded);
});

test.each(['http', 'https'] as const)(
  'bytes on the wire over %s are those of the sockets of the server',
  async (transport) => {
    const { port, sockets } = await (transport === 'http' ? plain() : secure());
    await configure(listenerAt(port, transport), { connectionPolicy: 'connection-per-transaction' });
    await generator.prepare('baseline');
    const result = await generator.run('baseline', closedLoop);
    const all = [...sockets];
    await Promise.all(all.filter((socket) => !socket.closed).map((socket) => once(socket, 'close')));
    expect(result.connectionsOpened).toBe(result.started);
    expect(all.length).toBe(result.started);
    expect(result.wireBytesWritten).toBe(all.reduce((sum, socket) => sum + socket.bytesRead, 0));
    if (transport === 'https')
      expect(result.wireBytesRead).toBeGreaterThan(result.bodyBytes + result.requests * 100);
  },
);

test('an open loop sends what is due, evenly, whatever the target does', async () => {
  const { port } = await plain();
  await configure(listenerAt(port, 'http'));
  await generator.prepare('baseline');
  const result = await generator.run('baseline', { durationMs: 500, discardMs: 100, ratePerS: 200 });
  expect(result.due).toBe(100);
  expect(result.succeeded).toBe(100);
  expect(result.latencyUs.count).toBeGreaterThanOrEqual(79);
  expect(result.latencyUs.count).toBeLessThanOrEqual(81);
});

test('a stall of the server shows in the latency of everything that was due meanwhile', async () => {
  let stalled = false;
  const { port } = await listen(
    createHttp((request, response) => {
      if (!stalled && request.url === '/b') {
        stalled = true;
        const until = performance.now() + 200;
        while (performance.now() < until);
      }
      answer(request, response);
    }),
  );
  await configure(listenerAt(port, 'http'), { connections: 2 });
  await generator.prepare('baseline');
  const result = await generator.run('baseline', { durationMs: 1000, discardMs: 0, ratePerS: 100 });
  expect(result.latencyFromDueUs.p99).toBeGreaterThan(180_000);
  expect(result.latencyFromDueUs.p90).toBeGreaterThan(80_000);
  expect(result.latencyUs.p90).toBeGreaterThan(80_000);
});

test('without resumption every handshake is full, with tickets all but the first are resumed', async () => {
  const { port } = await secure();
  const options: Options = { connectionPolicy: 'connection-per-transaction', connections: 1 };
  await configure(listenerAt(port, 'https'), options);
  await generator.prepare('baseline');
  const full = await generator.run('baseline', closedLoop);
  expect([full.handshakesFull, full.handshakesResumed]).toEqual([full.started, 0]);
  expect(full.negotiated).toMatchObject({
    protocol: 'TLSv1.3',
    cipher: expect.stringMatching(/^TLS_/),
    key: 'EC P-256',
  });
  expect(full.negotiated?.group).toBeTruthy();

  await configure(listenerAt(port, 'https'), {
    ...options,
    tls: { version: 'TLSv1.3', resumption: 'tickets' },
  });
  await generator.prepare('baseline');
  const resumed = await generator.run('baseline', closedLoop);
  expect([resumed.handshakesFull, resumed.handshakesResumed]).toEqual([1, resumed.started - 1]);
});

test('a connection per request opens one for each', async () => {
  const { port } = await secure();
  await configure(listenerAt(port, 'https'), { connectionPolicy: 'connection-per-request' });
  await generator.prepare('baseline');
  const result = await generator.run('baseline', closedLoop);
  expect(result.connectionsOpened).toBe(result.requests);
  expect(result.errors).toEqual([]);
});

test('an unexpected status is a counted error of its step', async () => {
  const { port } = await listen(
    createHttp((request, response) => {
      if (request.url === '/b') response.statusCode = 500;
      answer(request, response);
    }),
  );
  await configure(listenerAt(port, 'http'));
  await generator.prepare('baseline');
  const result = await generator.run('baseline', closedLoop);
  expect(result.succeeded).toBe(0);
  expect(result.errors).toEqual([
    {
      transport: 'http',
      step: 'second',
      outcome: 'unexpected_status',
      detail: 'answered 500 instead of 200',
      count: result.started,
    },
  ]);
});

test('a certificate that is not trusted is a TLS failure', async () => {
  const { port } = await secure();
  await configure({ ...listenerAt(port, 'https'), ca: null });
  const prepared = await generator.prepare('baseline');
  expect(prepared.errors[0]?.outcome ?? '').toMatch(/tls_failed|connect_failed/);
  expect(prepared.connectionsOpened).toBe(0);
});

test('the certificate that is trusted by its fingerprint is taken, and another one is a TLS failure', async () => {
  const { port } = await secure();
  const listener = { ...listenerAt(port, 'https'), ca: null, hostname: 'another.test' };
  const trust = new X509Certificate(authority.certPem).fingerprint256;
  await configure({ ...listener, trust });
  expect((await generator.prepare('baseline')).errors).toEqual([]);
  await configure({ ...listener, trust: new X509Certificate(authority.caPem).fingerprint256 });
  const prepared = await generator.prepare('baseline');
  expect(prepared.errors[0]?.detail).toContain('not the one that is trusted for this run');
  expect(prepared.negotiated).toBeNull();
});

test('a closed port is refused, and the slot still ends', async () => {
  const { server, port } = await plain();
  server.close();
  await once(server, 'close');
  await configure(listenerAt(port, 'http'));
  await generator.prepare('baseline');
  const result = await generator.run('baseline', closedLoop);
  expect(result.succeeded).toBe(0);
  expect(result.errors.map((group) => group.outcome)).toEqual(['connection_refused']);
});

/** A byte every 20 ms: always alive, never done. */
function drip(socket: Socket): void {
  const timer = setInterval(() => socket.write('H'), 20);
  socket.write('HTTP/1.1 200 OK\r\nX-Slow: ');
  socket.once('close', () => clearInterval(timer));
}

function endlessHead(socket: Socket): void {
  socket.write('HTTP/1.1 200 OK\r\n');
  const more = () => {
    while (!socket.destroyed && socket.write(`X-More: ${'m'.repeat(1000)}\r\n`));
  };
  socket.on('drain', more);
  more();
}

test.each([
  ['resets', (socket: Socket) => socket.resetAndDestroy(), /connection_reset/],
  [
    'closes early',
    (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf'),
    /body_too_short/,
  ],
  [
    'sends garbage',
    (socket: Socket) => socket.write('220 mail.example ESMTP ready\r\n\r\n'),
    /malformed_response/,
  ],
  [
    'sends more than it said',
    (socket: Socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nxyz'),
    /body_too_long/,
  ],
  ['never answers', () => {}, /timed_out/],
  ['ends its side before any byte', (socket: Socket) => socket.end(), /connection_closed_early/],
  [
    'ends its side in the middle of a head',
    (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\nContent-'),
    /connection_closed_early/,
  ],
  ['drips a byte at a time', drip, /timed_out/],
  ['never ends its head', endlessHead, /malformed_response/],
] as const)('a server that %s is a counted outcome', async (_what, misbehave, outcome) => {
  const sockets = new Set<Socket>();
  const server = createTcp((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('data', () => misbehave(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  servers.push({
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  });
  await configure(listenerAt((server.address() as AddressInfo).port, 'http'));
  await generator.prepare('baseline');
  const result = await generator.run('baseline', closedLoop);
  expect(result.succeeded).toBe(0);
  expect(result.errors.length).toBeGreaterThan(0);
  for (const group of result.errors) expect(group.outcome).toMatch(outcome);
});

test('connections that the server resets in a slot take none of its bytes away', async () => {
  const target = await listen(createHttp(answer));
  await configure(listenerAt(target.port, 'http'));
  await generator.run('baseline', { durationMs: 100, discardMs: 0, ratePerS: null });
  const running = generator.run('baseline', { durationMs: 200, discardMs: 0, ratePerS: null });
  await once(target.server, 'request');
  target.server.close();
  for (const socket of target.sockets) socket.resetAndDestroy();
  const result = await running;
  expect(result.errors.length).toBeGreaterThan(0);
  expect(result.wireBytesRead).toBeGreaterThanOrEqual(0);
  expect(result.wireBytesWritten).toBeGreaterThanOrEqual(0);
});

test('arrivals that a dead target leaves waiting are given up, and counted as due', async () => {
  const target = await listen(createHttp(() => {}));
  await configure(listenerAt(target.port, 'http'));
  const result = await generator.run('baseline', { durationMs: 500, discardMs: 0, ratePerS: 200 });
  expect(result.due).toBe(100);
  expect(result.started).toBeLessThan(50);
  expect(result.succeeded).toBe(0);
  expect(result.errors).toMatchObject([{ outcome: 'timed_out' }]);
});

test('arrivals that were given up count the time they waited: percentiles don’t look better for it', async () => {
  let begun = 0;
  const { port } = await listen(
    createHttp((request, response) => {
      if (request.url === '/a') begun++;
      const stalls = request.url === '/a' && begun === 86;
      setTimeout(() => answer(request, response), stalls ? 2500 : 0);
    }),
  );
  await configure(listenerAt(port, 'http'), { connections: 1, requestTimeoutMs: 60_000 });
  await generator.prepare('baseline');
  const result = await generator.run('baseline', { durationMs: 1000, discardMs: 0, ratePerS: 100 });
  expect(result.due).toBe(100);
  expect(result.started).toBe(86);
  expect(result.succeeded).toBe(86);
  for (const times of [result.latencyUs, result.latencyFromDueUs, result.latenessUs]) {
    expect(times.count).toBe(100);
    expect(times.p90).toBeGreaterThan(1_000_000);
  }
});
