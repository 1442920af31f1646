/** Protects a data directory: one server has it, and who has it is found. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { announceServer, findRunningServer, lockDataDirectory } from './data-directory.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tls-toll-lock-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

/** Another process that holds the lock until it is killed. */
async function startHolder(url: string) {
  const module = new URL('./data-directory.ts', import.meta.url).href;
  const script = `
    const { announceServer, lockDataDirectory } = await import(${JSON.stringify(module)});
    const lock = lockDataDirectory(${JSON.stringify(directory)});
    announceServer(${JSON.stringify(directory)}, { url: ${JSON.stringify(url)}, key: null });
    console.log('locked');
    process.stdin.on('end', () => { lock.release(); process.exit(0); }).resume();`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}

test('a second server is refused and told which process holds the directory, and where', async () => {
  const child = await startHolder('http://127.0.0.1:7300');
  expect(() => lockDataDirectory(directory)).toThrow(
    expect.objectContaining({
      problem: expect.objectContaining({
        code: 'data_directory_in_use',
        detail: `Another server (process ${child.pid} at http://127.0.0.1:7300) uses ${directory}.`,
      }),
    }),
  );
  expect(await findRunningServer(directory)).toEqual({
    url: 'http://127.0.0.1:7300',
    pid: child.pid,
    key: null,
  });
  child.kill('SIGKILL');
  await once(child, 'exit');
});

test('the lock goes with a process that is killed, and its announcement counts no more', async () => {
  const child = await startHolder('http://127.0.0.1:7300');
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await findRunningServer(directory)).toBeNull();
  const lock = lockDataDirectory(directory);
  lock.release();
});

test('a lock file that holds noise is emptied, and locks', () => {
  writeFileSync(join(directory, 'lock.sqlite'), 'noise '.repeat(1000));
  const lock = lockDataDirectory(directory);
  expect(() => lockDataDirectory(directory)).toThrow(/uses/);
  lock.release();
});

test('a server that is still starting is waited for', async () => {
  const lock = lockDataDirectory(directory);
  const found = findRunningServer(directory);
  announceServer(directory, { url: 'http://127.0.0.1:7301', key: 'for-its-owner' });
  expect(await found).toEqual({ url: 'http://127.0.0.1:7301', pid: process.pid, key: 'for-its-owner' });
  lock.release();
});

test('a directory that nobody has used holds no server, and looking makes none', async () => {
  expect(await findRunningServer(join(directory, 'absent'))).toBeNull();
  expect(statSync(join(directory, 'absent'), { throwIfNoEntry: false })).toBeUndefined();
});

test.each(['/proc/none/data', '/dev/null', '/dev/null/data'])('%s is refused as a data directory', (path) => {
  expect(() => lockDataDirectory(path)).toThrow(
    expect.objectContaining({
      problem: expect.objectContaining({
        code: 'data_directory_unusable',
        detail: expect.stringContaining(path.slice(0, 9)),
      }),
    }),
  );
});

test('a directory is made for its owner only; one that is there keeps its rights', () => {
  const made = join(directory, 'a', 'b');
  lockDataDirectory(made).release();
  expect(statSync(made).mode & 0o777).toBe(0o700);
  const before = statSync(tmpdir()).mode;
  lockDataDirectory(directory).release();
  expect(statSync(tmpdir()).mode).toBe(before);
});
