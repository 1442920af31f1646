/** Protects a machine from a server that fails to start late: it leaves no listener, lock, or open database behind. */
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  unlinkSync,
} from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { freePort } from '../../testing/free-port.ts';
import { configInTest, openServerInTest } from '../../testing/server-in-test.ts';
import { startServer } from './start-server.ts';

const directory = mkdtempSync(join(tmpdir(), 'tls-toll-failed-'));
afterAll(() => rmSync(directory, { recursive: true }));

test('a start that fails late gives everything back, and the next one succeeds', async () => {
  const config = { ...configInTest(directory), port: await freePort() };
  const announcement = join(directory, 'server.json');

  const starting = startServer(config);
  // The directory is locked by now. Where the server listens can no longer be written.
  unlinkSync(announcement);
  mkdirSync(announcement);
  await expect(starting).rejects.toMatchObject({ problem: { code: 'data_directory_unusable' } });

  expect(await isListening(config.port)).toBe(false);
  expect(existsSync(join(directory, 'tls-toll.sqlite-wal'))).toBe(false);
  rmdirSync(announcement);
  const server = await startServer(config);
  expect((await fetch(`${server.url}/api/v1/health`)).status).toBe(200);
  await server.close();
});

test('a start that cannot write its process ID gives the lock back', async () => {
  const own = join(directory, 'own');
  const announcement = join(own, 'server.json');
  mkdirSync(announcement, { recursive: true });
  const config = configInTest(own);
  await expect(startServer(config)).rejects.toMatchObject({ problem: { code: 'data_directory_unusable' } });
  rmdirSync(announcement);
  await (await startServer(config)).close();
});

test('a start that finds its port taken gives everything back, and leaves what was queued', async () => {
  const own = join(directory, 'taken');
  const before = await openServerInTest(own);
  const ids = [(await before.create()).id, (await before.create()).id];
  await before.until(ids[0] ?? '', ({ type }) => type === 'progress');
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  await before.close();

  const config = { ...configInTest(own), port: (other.address() as AddressInfo).port };
  await expect(startServer(config)).rejects.toMatchObject({ problem: { code: 'address_in_use' } });
  expect(startedSince()).toEqual([]);
  other.close();
  const server = await startServer(config);
  expect(await stateOf(server.url, ids[1])).toMatch(/queued|running/);
  await server.close();
});

test('a start that fails late leaves what was queued, and no process', async () => {
  const own = join(directory, 'under-way');
  const before = await openServerInTest(own);
  const ids = [(await before.create()).id, (await before.create()).id];
  await before.until(ids[0] ?? '', ({ type }) => type === 'progress');
  await before.close();
  expect(startedSince()).toEqual([]);

  const announcement = join(own, 'server.json');
  const config = { ...configInTest(own), port: await freePort() };
  const starting = startServer(config);
  unlinkSync(announcement);
  mkdirSync(announcement);
  await expect(starting).rejects.toMatchObject({ problem: { code: 'data_directory_unusable' } });
  expect(startedSince()).toEqual([]);
  expect(await isListening(config.port)).toBe(false);
  rmdirSync(announcement);
  const server = await startServer(config);
  expect(await stateOf(server.url, ids[1])).toMatch(/queued|running/);
  await server.close();
  expect(startedSince()).toEqual([]);
});

/** Other files that run in this process may have left some. */
const earlier = new Set<string>();
beforeEach(() => {
  earlier.clear();
  for (const id of childIds()) earlier.add(id);
});

/** Command lines of processes that were started since and still run. */
function startedSince(): string[] {
  const started = childIds().filter((id) => !earlier.has(id));
  return started.map((id) => readFileSync(`/proc/${id}/cmdline`, 'utf8').replaceAll('\0', ' '));
}

function childIds(): string[] {
  const tasks = readdirSync('/proc/self/task');
  const lists = tasks.map((task) => readFileSync(`/proc/self/task/${task}/children`, 'utf8'));
  return lists.flatMap((list) => list.split(' ').filter((id) => id !== ''));
}

async function stateOf(url: string, id = ''): Promise<string> {
  const document = (await (await fetch(`${url}/r/${id}.json`)).json()) as { state: string };
  return document.state;
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => socket.destroy(new Error('it listens')));
    socket.once('error', () => resolve(false));
    socket.once('connect', () => resolve(true));
  });
}
