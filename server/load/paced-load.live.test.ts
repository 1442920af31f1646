/** Protects another host from bursts: its requests come one after another at its rate, whoever sends them. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { capsSchema } from '../../shared/permitted-target.ts';
import { scenarioSchema } from '../../shared/scenario.ts';
import { tlsProfileSchema } from '../../shared/tls-profile.ts';
import { arms } from '../../shared/transport.ts';
import { median } from '../statistics/quantile.ts';
import { type Generator, startGenerator } from './start-generator.ts';

/** A rate whose waits are no whole milliseconds. */
const requestsPerS = 43;
const everyMs = 1000 / requestsPerS;
const permit = { host: 'shop.test', caps: capsSchema.parse({ requestsPerS }) };

const seenMs: number[] = [];
const server = createServer({ keepAliveTimeout: 60_000 }, (_request, response) => {
  seenMs.push(performance.now());
  response.end('fine');
});
let generator: Generator;

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  generator = await startGenerator();
  await generator.configure({
    listeners: arms.map((arm) => ({
      ...{ arm, transport: 'http', hostname: 'shop.test', address: '127.0.0.1', port },
      ...{ ca: null, pid: null, permit },
    })),
    scenario: scenarioSchema.parse({
      name: 'two pages',
      steps: ['/first', '/second'].map((path) => ({ name: path, method: 'GET', path })),
    }),
    tls: tlsProfileSchema.parse({}),
    ...{ connectionPolicy: 'keep-alive', connections: 3, requestTimeoutMs: 10_000 },
  });
  for (const arm of arms) await generator.prepare(arm);
});
afterAll(async () => {
  await generator.stop();
  server.close();
});

const window = (users: number, turnTransactions: number) =>
  generator.window({
    ...{ durationMs: 1000, users, turnTransactions, trees: null },
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
  const gapsMs = seenMs.slice(1).map((atMs, index) => atMs - (seenMs[index] ?? 0));
  expect(median(gapsMs)).toBeGreaterThan(everyMs / 2);
  // A busy machine sees requests late, and those that follow them too close.
  const lateMs = 60;
  for (const [index, atMs] of seenMs.entries()) {
    const sixth = seenMs[index + 6];
    if (sixth !== undefined) expect(sixth - atMs).toBeGreaterThan(6 * everyMs - lateMs);
  }
  expect((seenMs.at(-1) ?? 0) - (seenMs[0] ?? 0)).toBeGreaterThan((count - 1) * everyMs - lateMs);
  const { requests } = await generator.collect('baseline');
  await generator.clear('baseline');
  expect(requests).toBeGreaterThan(0);
  expect(seenMs).toHaveLength(count);
});

test('pauses are no part of a latency', async () => {
  const { latenciesUs } = await window(1, 1);
  expect(Math.min(...latenciesUs)).toBeLessThan(everyMs * 1000);
});
