/** Protects other hosts from checks: concurrent connections, connections and requests per second, and bytes are limited. */
import { createServer as createHttp, type RequestListener } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type Caps, capsSchema, type Listener, type Permit } from '../../../shared/target/target.ts';
import {
  check,
  expectProblem,
  httpAt,
  httpsAt,
  listen,
  page,
  shop,
  shopCertificate,
} from '../../testing/preflight-in-test.ts';
import { CheckBudget } from './inspection.ts';

const permit = (caps: Partial<Caps>): Permit => ({ host: 'shop.test', caps: capsSchema.parse(caps) });

/** Both sides of one host with these limits. */
async function serve(caps: Partial<Caps>, application: RequestListener = shop) {
  const servers = [createHttp(application), createHttps(shopCertificate, application)] as const;
  const permitted = (listener: Listener): Listener => ({ ...listener, pid: null, permit: permit(caps) });
  const [http, https] = [await listen(servers[0]), await listen(servers[1])];
  return { servers, baseline: permitted(httpAt(http)), comparison: permitted(httpsAt(https)) };
}

test('a preflight keeps to the rate of its target', async () => {
  // 43: a rate whose waits are no whole milliseconds.
  const { servers, baseline, comparison } = await serve({ requestsPerS: 43 });
  let begun = 0;
  let lastMs = 0;
  const note = () => {
    begun += 1;
    lastMs = performance.now();
  };
  for (const server of servers) server.on('connection', note).on('request', note);
  const fromMs = performance.now();
  expect(await check(baseline, comparison)).toMatchObject({ ok: true });
  expect(begun).toBeGreaterThan(25);
  expect(lastMs - fromMs).toBeGreaterThan(((begun - 1) / 43) * 1000 - 10);
});

test('no connection begins before one may be open', async () => {
  const { baseline } = await serve({});
  const budget = new CheckBudget(permit({ connections: 3, requestsPerS: 1_000 }));
  const { signal } = new AbortController();
  const opened: Socket[] = [];
  const open = async () => {
    const socket = connect(baseline.port, baseline.address);
    opened.push(socket);
    return socket;
  };
  const [first] = await Promise.all([1, 2, 3].map(() => budget.connect(signal, open)));
  const fourth = budget.connect(signal, open);
  // Whoever has a place waits for its turn a few milliseconds.
  await pause(50);
  expect(opened).toHaveLength(3);
  first?.destroy();
  await fourth;
  for (const socket of opened) socket.destroy();
});

test.each([
  [1, 4],
  [100, 20],
])('at %i requests per second it shakes hands %i times a side', (requestsPerS, handshakes) => {
  expect(CheckBudget.handshakes(new CheckBudget(permit({ requestsPerS })))).toBe(handshakes);
});

test('a check stops when the bytes allowed for the target are used up, and names its limit', async () => {
  const { baseline, comparison } = await serve({ bytes: 1_000_000 }, page('x'.repeat(3_000_000)));
  const report = await check(baseline, comparison);
  expectProblem(report, 'baseline', 'status', /^The checks used up the 1 MB allowed for shop\.test/);
});
