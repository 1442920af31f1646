/** Protects a machine from a server that fails to start late: it leaves no listener, lock, or open database behind. */
import { existsSync, mkdirSync, mkdtempSync, rmdirSync, rmSync, unlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startServer } from './start-server.ts';
import { freePort } from './testing/free-port.ts';
import { configInTest } from './testing/server-in-test.ts';

const directory = mkdtempSync(join(tmpdir(), 'tls-toll-failed-'));
afterAll(() => rmSync(directory, { recursive: true }));

test('a start that fails after measurements were taken up again gives everything back, and the next one succeeds', async () => {
  const config = { ...configInTest(directory), port: await freePort() };
  const announcement = join(directory, 'server.json');

  const starting = startServer(config);
  // The directory is locked by now. What comes last, where the server listens, can no longer be written.
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

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => socket.destroy(new Error('it listens')));
    socket.once('error', () => resolve(false));
    socket.once('connect', () => resolve(true));
  });
}
