/** Protects which way a link is carried, that it measures itself, and that none of its processes outlives its owner. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Link } from '../../../shared/kinds/comparison/link.ts';
import { summariseAdded } from '../../method/statistics/added-delay.ts';
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

test('to a target at an IPv6 address a relay carries it, and says why', async () => {
  const { ends, readBy } = await links.open(slow, [await serve('::1')]);
  for (const end of ends) expect(await reach(end)).toBe('x');
  expect(await readBy()).toMatchObject({ name: 'relay', why: expect.any(String) });
  const lossy = links.open({ ...slow, lossPercent: 1 }, [{ address: '::1', port: 1 }]);
  await expect(lossy).rejects.toMatchObject({
    problem: {
      code: 'link_impossible',
      detail: expect.stringMatching(/^This link cannot be made: loss, .* but ::1 is an IPv6 address\.$/),
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
