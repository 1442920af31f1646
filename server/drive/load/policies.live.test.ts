/** Protects what can be asked of connections, handshakes, pauses and processes, as the server sees it. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createHttp, type RequestListener } from 'node:http';
import {
  createServer as createHttp2,
  createSecureServer as createHttp2WithTls,
  type Http2ServerRequest,
} from 'node:http2';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type TlsProfile, tlsProfileSchema } from '../../../shared/base/tls-profile.ts';
import { isEncrypted, type Transport } from '../../../shared/base/transport.ts';
import type { LoadResult } from '../../../shared/kinds/comparison/slot.ts';
import { type ScenarioInput, scenarioSchema } from '../../../shared/scenario/scenario.ts';
import { type Authority, openAuthority } from '../../targets/certificates/certificate-authority.ts';
import type { Configuration } from './load-messages.ts';
import { type Generator, startGenerator } from './start-generator.ts';

const directory = mkdtempSync(join(tmpdir(), 'tls-toll-policies-'));
let authority: Authority;
let alone: Generator;
let server: Server | null = null;
const sockets = new Set<Socket>();

beforeAll(async () => {
  authority = await openAuthority(directory);
  alone = await startGenerator();
});
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  server?.close();
});
afterAll(async () => {
  await alone.stop();
  rmSync(directory, { recursive: true });
});

const answer: RequestListener = (request, response) => {
  request.resume();
  response.end('y'.repeat(5000));
};

const page: ScenarioInput = {
  name: 'pages',
  steps: [
    { name: 'first', method: 'GET', path: '/a' },
    { name: 'second', method: 'GET', path: '/b' },
  ],
};

type Create = (certificate: { key: string; cert: string }, listener: RequestListener) => Server;

/** Node's own servers; their compatibility API takes the same listener for HTTP/2. */
const createServerOf: Record<Transport, Create> = {
  http: (_, listener) => createHttp({ keepAliveTimeout: 60_000 }, listener),
  https: (certificate, listener) => createHttps({ ...certificate, keepAliveTimeout: 60_000 }, listener),
  h2c: (_, listener) => createHttp2(listener as never),
  h2: (certificate, listener) => createHttp2WithTls(certificate, listener as never),
};

type Asked = Partial<Omit<Configuration, 'listeners' | 'scenario' | 'tls'>> & {
  scenario?: ScenarioInput;
  tls?: Partial<TlsProfile>;
  listener?: RequestListener;
  /** Whether the generator is told the authority. */
  trusted?: boolean;
  /** Transport that the generator takes the server to speak. */
  spoken?: Transport;
};

/** Starts a server of that transport, points the generator at it, and opens the connections. */
async function pointAt(generator: Generator, transport: Transport, asked: Asked = {}): Promise<void> {
  const {
    scenario = page,
    tls = {},
    listener = answer,
    trusted = true,
    spoken = transport,
    ...options
  } = asked;
  const certificate = { key: authority.keyPem, cert: authority.certPem };
  const listening = createServerOf[transport](certificate, listener);
  listening.on('connection', (socket: Socket) => sockets.add(socket));
  server = listening;
  listening.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  await generator.configure({
    listeners: [
      {
        arm: 'baseline',
        transport: spoken,
        hostname: authority.hostname,
        address: '127.0.0.1',
        port: (listening.address() as AddressInfo).port,
        ca: isEncrypted(transport) && trusted ? authority.caPem : null,
        pid: null,
      },
    ],
    scenario: scenarioSchema.parse(scenario),
    tls: tlsProfileSchema.parse(tls),
    connectionPolicy: 'keep-alive',
    connections: 4,
    requestTimeoutMs: 2000,
    ...options,
  });
}

/** The same, and opens the connections, which must succeed. */
async function connectTo(generator: Generator, transport: Transport, asked: Asked = {}): Promise<void> {
  await pointAt(generator, transport, asked);
  const { errors } = await generator.prepare('baseline');
  expect(errors).toEqual([]);
}

const closedLoop = { durationMs: 300, discardMs: 0, ratePerS: null };

function expectAllWell(result: LoadResult): void {
  expect(result.errors).toEqual([]);
  expect(result.succeeded).toBe(result.started);
  expect(result.succeeded).toBeGreaterThan(0);
}

test('a connection is closed after as many requests as were asked for', async () => {
  const perSocket = new Map<unknown, number>();
  await connectTo(alone, 'http', {
    connectionPolicy: 'requests-per-connection',
    requestsPerConnection: 3,
    listener: (request, response) => {
      perSocket.set(request.socket, (perSocket.get(request.socket) ?? 0) + 1);
      answer(request, response);
    },
  });
  const result = await alone.run('baseline', closedLoop);
  expectAllWell(result);
  const counts = [...perSocket.values()];
  expect(Math.max(...counts)).toBe(3);
  // The four connections that the slot ended with may have seen fewer.
  expect(counts.filter((count) => count < 3).length).toBeLessThanOrEqual(4);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(result.requests);
});

test('of a mix of visitors the share that returns resumes, to within one', async () => {
  await connectTo(alone, 'https', {
    connectionPolicy: 'connection-per-transaction',
    connections: 1,
    tls: { resumption: 'mix', resumedShare: 0.7 },
  });
  const result = await alone.run('baseline', closedLoop);
  expectAllWell(result);
  // The first has no session to return with.
  const returning = 0.7 * (result.started - 1);
  expect(Math.abs(result.handshakesResumed - returning)).toBeLessThanOrEqual(1);
  expect(result.handshakesFull + result.handshakesResumed).toBe(result.started);
});

test.each([
  [
    { version: 'TLSv1.2', cipher: 'ECDHE-ECDSA-AES256-GCM-SHA384' },
    'TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384',
  ],
  [{ version: 'TLSv1.3', cipher: 'TLS_CHACHA20_POLY1305_SHA256' }, 'TLS_CHACHA20_POLY1305_SHA256'],
] as const)('the suite of %o is what is negotiated', async (tls, name) => {
  await connectTo(alone, 'https', { tls });
  const result = await alone.run('baseline', closedLoop);
  expectAllWell(result);
  expect(result.negotiated).toMatchObject({ protocol: tls.version, cipher: name, alpn: 'http/1.1' });
});

test('the group is what was asked for', async () => {
  await connectTo(alone, 'https', { tls: { group: 'P-384' } });
  const result = await alone.run('baseline', closedLoop);
  expectAllWell(result);
  expect(result.negotiated?.group).toBe('P-384');
});

test('a certificate that nobody trusts is no hindrance where it is not to be checked', async () => {
  await connectTo(alone, 'https', { trusted: false, tls: { verify: false } });
  expectAllWell(await alone.run('baseline', closedLoop));
});

test('phases of a transaction are reported, and add up to its latency', async () => {
  await connectTo(alone, 'https', { connectionPolicy: 'connection-per-transaction', connections: 1 });
  const result = await alone.run('baseline', closedLoop);
  expectAllWell(result);
  const { phases, latencyUs, steps } = result;
  const parts = [phases?.connectUs, phases?.tlsUs, phases?.ttfbUs, phases?.downloadUs];
  expect(parts.map((part) => part?.count)).toEqual(parts.map(() => latencyUs.count));
  // On a busy machine every transaction waits in another phase: medians then add up to less than their sum's, maxima never.
  const sumOf = (value: 'p50' | 'max') => parts.reduce((total, part) => total + (part?.[value] ?? 0), 0);
  expect(sumOf('max')).toBeGreaterThan(0.9 * latencyUs.max);
  expect(sumOf('p50')).toBeLessThan(1.3 * latencyUs.p50);
  // The second step goes over the connection of the first.
  expect(steps.map((step) => step.tlsUs?.count ?? 0)).toEqual([latencyUs.count, 0]);
});

test('think times pause the user and are no part of the latency', async () => {
  await connectTo(alone, 'http', {
    connections: 1,
    thinkTimeScale: 0.5,
    scenario: { name: 'slow', steps: [{ name: 'only', method: 'GET', path: '/', thinkTimeMs: 100 }] },
  });
  const result = await alone.run('baseline', { ...closedLoop, durationMs: 400 });
  expectAllWell(result);
  expect(result.started).toBeLessThanOrEqual(8);
  expect(result.started).toBeGreaterThanOrEqual(3);
  expect(result.latencyUs.p50).toBeLessThan(45_000);
});

test('on a ramp fewer are due than at the full rate', async () => {
  await connectTo(alone, 'http');
  const slot = { durationMs: 500, discardMs: 400, ratePerS: 200, rampMs: 400 };
  const result = await alone.run('baseline', slot);
  expectAllWell(result);
  // Half of the 80 of the ramp, and 20 after it.
  expect(result.due).toBe(60);
  expect(result.latencyUs.count).toBeLessThanOrEqual(22);
});

test('two processes share users and arrivals, and are added up', async () => {
  const pair = await startGenerator(2);
  try {
    await connectTo(pair, 'http', { connections: 5 });
    expect(new Set(pair.pids).size).toBe(2);
    const open = await pair.run('baseline', { durationMs: 400, discardMs: 0, ratePerS: 250 });
    expectAllWell(open);
    expect(open.due).toBe(100);
    expect(open.latencyUs.count).toBe(100);
    const closed = await pair.run('baseline', closedLoop);
    expectAllWell(closed);
    expect(closed.lifetime.connectionsOpened).toBe(5);
    expect(closed.generatorBusiestUs).toBeLessThan(closed.generatorCpuUs);
  } finally {
    await pair.stop();
  }
});

test.each(['h2c', 'h2'] as const)('%s is loaded like the others, one stream at a time', async (transport) => {
  const versions = new Set<string>();
  await connectTo(alone, transport, {
    listener: (request, response) => {
      versions.add(request.httpVersion);
      answer(request, response);
    },
  });
  const result = await alone.run('baseline', closedLoop);
  expectAllWell(result);
  expect([...versions]).toEqual(['2.0']);
  expect(result.lifetime.connectionsOpened).toBe(4);
  expect(result.bodyBytes).toBe(result.requests * 5000);
  expect(result.negotiated?.alpn ?? null).toBe(transport === 'h2' ? 'h2' : null);
});

test('over HTTP/2 as well a connection may serve one transaction only', async () => {
  await connectTo(alone, 'h2', {
    connectionPolicy: 'connection-per-transaction',
    tls: { resumption: 'tickets' },
  });
  const result = await alone.run('baseline', closedLoop);
  expectAllWell(result);
  expect(result.connectionsOpened).toBe(result.started);
  expect(result.handshakesResumed).toBeGreaterThan(0);
});

test('a server without HTTP/2 is not loaded with something else instead', async () => {
  await pointAt(alone, 'https', { spoken: 'h2' });
  const { errors, connectionsOpened } = await alone.prepare('baseline');
  expect(errors[0]?.outcome).toMatch(/^(tls_failed|tls_changed|connect_failed)$/);
  expect(connectionsOpened).toBe(0);
});

test('a certificate that changes in the middle is noticed', async () => {
  await connectTo(alone, 'https', { connectionPolicy: 'connection-per-request' });
  expectAllWell(await alone.run('baseline', closedLoop));
  const other = await openAuthority(join(directory, 'other'));
  (server as ReturnType<typeof createHttps>).setSecureContext({
    key: other.keyPem,
    cert: [other.certPem, other.caPem].join('\n'),
  });
  await alone.prepare('baseline');
  const changed = await alone.run('baseline', closedLoop);
  expect(changed.errors.map(({ outcome }) => outcome)).toContain('tls_changed');
});

test('a certificate that changes is noticed also where none is checked', async () => {
  await connectTo(alone, 'https', { connectionPolicy: 'connection-per-request', tls: { verify: false } });
  expectAllWell(await alone.run('baseline', closedLoop));
  const other = await openAuthority(join(directory, 'another'));
  (server as ReturnType<typeof createHttps>).setSecureContext({ key: other.keyPem, cert: other.certPem });
  await alone.prepare('baseline');
  const changed = await alone.run('baseline', closedLoop);
  expect(changed.errors).toContainEqual(
    expect.objectContaining({ outcome: 'tls_changed', detail: 'the server’s certificate changed' }),
  );
});

const closing: Record<string, [transport: Transport, listener: RequestListener]> = {
  'says close in a list': [
    'https',
    (request, response) => answer(request, response.setHeader('connection', 'TE, close')),
  ],
  'says goodbye after each request, with one stream at a time': [
    'h2',
    (request, response) => {
      const { session } = (request as unknown as Http2ServerRequest).stream;
      session?.settings({ maxConcurrentStreams: 1 });
      answer(request, response);
      session?.close();
    },
  ],
};

test.each(Object.entries(closing))(
  'a server that %s is given a connection for each request',
  async (_what, [transport, listener]) => {
    await connectTo(alone, transport, { listener });
    const result = await alone.run('baseline', closedLoop);
    expectAllWell(result);
    // The four connections that were there before the slot answer the first four.
    expect(result.connectionsOpened).toBe(result.requests - 4);
    expect(result.handshakesFull).toBe(result.connectionsOpened);
    // By then that is known, and none is opened ahead.
    expect((await alone.prepare('baseline')).connectionsOpened).toBe(0);
    const next = await alone.run('baseline', closedLoop);
    expectAllWell(next);
    expect(next.connectionsOpened).toBe(next.requests);
  },
);
