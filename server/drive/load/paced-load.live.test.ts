/** Protects another host from bursts: its requests come one after another at its rate, whoever sends them. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcp } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { namesOf } from '../../../shared/base/arms.ts';
import { tlsProfileSchema } from '../../../shared/base/tls-profile.ts';
import { twoSidesAndTwin } from '../../../shared/base/transport.ts';
import { scenarioSchema } from '../../../shared/scenario/scenario.ts';
import { capsSchema } from '../../../shared/target/target.ts';
import { median } from '../../method/statistics/intervals.ts';
import { type Generator, startGenerator } from './start-generator.ts';

const arms = namesOf(twoSidesAndTwin);

/** A rate whose waits are no whole milliseconds. */
const requestsPerS = 43;
const everyMs = 1000 / requestsPerS;
const seenMs: number[] = [];
const connectedMs: number[] = [];
const server = createServer({ keepAliveTimeout: 60_000 }, (_request, response) => {
  seenMs.push(performance.now());
  response.end('fine');
});
server.on('connection', () => connectedMs.push(performance.now()));
let generator: Generator;

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  generator = await startGenerator();
  const { port } = server.address() as AddressInfo;
  await generator.configure(
    configurationAt(port, requestsPerS, 3, [{ path: '/first' }, { path: '/second' }]),
  );
  for (const arm of arms) await generator.prepare(arm);
});
afterAll(async () => {
  await generator.stop();
  server.close();
});

test('connections are opened at the rate of requests, all sides together', async () => {
  // The server hears of the last one later than the client.
  await vi.waitFor(() => expect(connectedMs).toHaveLength(3 * arms.length));
  demandPaced(connectedMs);
});

const window = (users: number, turnTransactions: number) =>
  generator.window({
    ...{ arms, durationMs: 1000, users, turnTransactions, trees: null },
    ...{ seed: 7, firstRow: 0 },
  });

test.each([
  ['turns of several transactions', () => window(1, 3)],
  ['several users', () => window(3, 1)],
  [
    'arrivals at a rate',
    () => generator.run('baseline', { durationMs: 1000, discardMs: 0, ratePerS: requestsPerS / 2 }),
  ],
])('the target sees no burst from %s, and nothing once they are over', async (_what, load) => {
  seenMs.length = 0;
  await load();
  const count = seenMs.length;
  // The requests that a second allows; groups under way at its end are finished.
  expect(count).toBeGreaterThan(30);
  demandPaced(seenMs);
  const { requests } = await generator.collect('baseline');
  await generator.clear('baseline');
  expect(requests).toBeGreaterThan(0);
  expect(seenMs).toHaveLength(count);
});

test('pauses are no part of a latency', async () => {
  const { latenciesUs } = await window(1, 1);
  expect(Math.min(...latenciesUs)).toBeLessThan(everyMs * 1000);
});

test('a request that is sent again, as it met the close of an idle connection, waits for the rate as well', async () => {
  const perS = 4;
  const askedMs: number[] = [];
  const closing = createTcp((socket) => {
    let answeredAtMs = Number.POSITIVE_INFINITY;
    socket.on('data', () => {
      askedMs.push(performance.now());
      if (performance.now() - answeredAtMs >= 1000) {
        socket.destroy();
        return;
      }
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfine');
      answeredAtMs = performance.now();
    });
  });
  closing.listen(0, '127.0.0.1');
  await once(closing, 'listening');
  const { port } = closing.address() as AddressInfo;
  const steps = [{ path: '/first' }, { path: '/second', thinkTimeMs: 1100 }];
  await generator.configure(configurationAt(port, perS, 1, steps));
  await generator.prepare('baseline');
  const { errors } = await generator.run('baseline', { durationMs: 500, discardMs: 0, ratePerS: null });
  closing.close();
  expect(errors).toEqual([]);
  const [first = 0, met = 0, again = 0] = askedMs;
  expect(met - first).toBeGreaterThan(1000);
  expect(again - met).toBeGreaterThan(1000 / perS - 60);
});

function configurationAt(
  port: number,
  perS: number,
  connections: number,
  steps: { path: string; thinkTimeMs?: number }[],
) {
  const permit = { host: 'shop.test', caps: capsSchema.parse({ requestsPerS: perS }) };
  return {
    listeners: arms.map((arm) => ({
      ...{ arm, transport: 'http' as const, hostname: 'shop.test', address: '127.0.0.1', port },
      ...{ ca: null, pid: null, permit },
    })),
    scenario: scenarioSchema.parse({
      name: 'pages',
      steps: steps.map((step) => ({ name: step.path, method: 'GET', ...step })),
    }),
    tls: tlsProfileSchema.parse({}),
    ...{ connectionPolicy: 'keep-alive' as const, connections, requestTimeoutMs: 10_000 },
  };
}

function demandPaced(timesMs: readonly number[]): void {
  const gapsMs = timesMs.slice(1).map((atMs, index) => atMs - (timesMs[index] ?? 0));
  expect(median(gapsMs)).toBeGreaterThan(everyMs / 2);
  // A busy machine sees them late, and those that follow them too close.
  const lateMs = 60;
  for (const [index, atMs] of timesMs.entries()) {
    const sixth = timesMs[index + 6];
    if (sixth !== undefined) expect(sixth - atMs).toBeGreaterThan(6 * everyMs - lateMs);
  }
  const wholeMs = (timesMs.at(-1) ?? 0) - (timesMs[0] ?? 0);
  expect(wholeMs).toBeGreaterThan((timesMs.length - 1) * everyMs - lateMs);
}
