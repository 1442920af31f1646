/** Protects which way a link is carried, that it measures itself, and that none of its processes outlives its owner. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { createInterface } from 'node:readline/promises';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Link } from '../../../shared/kinds/comparison/link.ts';
import { summariseAdded } from '../../method/statistics/estimates.ts';
import { endPrograms, startProgram } from '../../testing/program-in-test.ts';
import { untilAsync } from '../../testing/until-async.ts';
import { type Links, startLinks } from './start-links.ts';

const slow: Link = { roundTripMs: 40, mbitPerS: null };
const isPossible = process.getuid?.() === 0 && existsSync('/dev/net/tun');

let links: Links;
const servers: Server[] = [];
beforeAll(async () => {
  links = await startLinks();
});
afterEach(async () => {
  await links.close();
  for (const server of servers.splice(0)) server.close();
  await endPrograms();
});
afterAll(() => links.stop());

async function serve(host: string): Promise<{ address: string; port: number }> {
  const server = createServer({ allowHalfOpen: true }, (socket) => socket.pipe(socket)).listen(0, host);
  servers.push(server);
  await once(server, 'listening');
  return { address: host, port: (server.address() as AddressInfo).port };
}

async function reach({ address, port }: { address: string; port: number }): Promise<string> {
  const socket = connect({ host: address, port, allowHalfOpen: true });
  socket.end('x');
  return String(await buffer(socket));
}

test('a link adds its round trip, and measures it while it is open', async () => {
  const { ends, readAddedMs } = await links.open(slow, [await serve('127.0.0.1')]);
  const fromMs = performance.now();
  for (const end of ends) expect(await reach(end)).toBe('x');
  expect(performance.now() - fromMs).toBeGreaterThanOrEqual(2 * slow.roundTripMs);
  const added = await untilAsync(
    async () => summariseAdded(await readAddedMs()),
    (summary) => summary !== null,
  );
  expect(added?.p5).toBeGreaterThan(0.95 * slow.roundTripMs);
});

test.skipIf(!isPossible)('as root it is carried by the kernel’s TCP', async () => {
  const { readBy } = await links.open(slow, [await serve('127.0.0.1')]);
  expect(await readBy()).toMatchObject({ name: 'kernel', initialWindow: 10, lost: 0, overflowed: 0 });
});

/** Output of a program that has fewer rights or tools: `setpriv` of util-linux starts it. */
async function carriedFor(command: string[], environment: NodeJS.ProcessEnv): Promise<unknown> {
  const [program = '', ...args] = [...command, process.execPath, 'server/testing/link-owner-in-test.ts'];
  const owner = spawn(program, args, { env: environment, stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface(owner.stdout)) {
    if (!line.startsWith('by ')) continue;
    owner.kill('SIGKILL');
    return JSON.parse(line.slice('by '.length));
  }
  throw new Error('the program ended before it said what carries its link');
}

test.skipIf(!isPossible)('without the right to, a relay carries it, and says what that takes', async () => {
  const by = await carriedFor(['setpriv', '--bounding-set', '-net_admin'], { PATH: process.env.PATH });
  expect(by).toEqual({ name: 'relay', why: 'a TUN device takes root, or the capability CAP_NET_ADMIN' });
});

test.skipIf(!isPossible)('without ip, a relay carries it, and says what to install', async () => {
  const by = await carriedFor([], { PATH: '/nonexistent' });
  expect(by).toEqual({ name: 'relay', why: 'the program ip is missing (install iproute2)' });
});

test.skipIf(!isPossible)('without the file of the device, a relay carries it, and says so', async () => {
  const hidden = ['unshare', '--mount', 'sh', '-c', 'mount -t tmpfs none /dev/net && exec "$@"', 'sh'];
  const by = await carriedFor(hidden, { PATH: process.env.PATH });
  expect(by).toMatchObject({ name: 'relay', why: expect.stringMatching(/^\/dev\/net\/tun is missing/) });
});

test.skipIf(!isPossible)(
  'where its setting cannot be written, a relay carries it, and says which',
  async () => {
    const closed = [
      ...['unshare', '--mount', 'sh', '-c'],
      'mount -o bind,ro /proc/sys /proc/sys && exec "$@"',
      'sh',
    ];
    const by = await carriedFor(closed, { PATH: process.env.PATH });
    expect(by).toMatchObject({
      name: 'relay',
      why: expect.stringMatching(/route_localnet cannot be written: the file system is read-only$/),
    });
  },
);

test('to a target at an IPv6 address a relay carries it, and says why', async () => {
  const { ends, readBy } = await links.open(slow, [await serve('::1')]);
  for (const end of ends) expect(await reach(end)).toBe('x');
  expect(await readBy()).toMatchObject({ name: 'relay', why: expect.any(String) });
  const lossy = links.open({ ...slow, lossPercent: 1 }, [{ address: '::1', port: 1 }]);
  await expect(lossy).rejects.toMatchObject({
    problem: {
      code: 'link_impossible',
      detail: expect.stringMatching(/^This link cannot be set up: loss, .* but ::1 is an IPv6 address\.$/),
    },
  });
});

test('when one of its processes is killed, it says so', async () => {
  const others = await startLinks();
  const [, pid = 0] = others.pids();
  process.kill(pid, 'SIGKILL');
  if (!others.failed.aborted) await once(others.failed, 'abort');
  expect(others.failed.reason).toMatchObject({
    problem: { code: 'link_failed', detail: expect.stringMatching(/ ended \(SIGKILL\)\.$/) },
  });
  await others.stop();
});

test('its processes end with an owner that is killed', async () => {
  const owner = startProgram('server/testing/link-owner-in-test.ts', [], {});
  const [, pids = ''] = await owner.prints(/^pids (.+)\n/);
  owner.kill('SIGKILL');
  await owner.ended;
  const alive = () => pids.split(' ').some((pid) => existsSync(`/proc/${pid}`));
  expect(pids.split(' ')).toHaveLength(2);
  await untilAsync(
    async () => alive(),
    (left) => !left,
  );
});
