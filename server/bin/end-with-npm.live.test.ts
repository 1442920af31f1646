/** Protects port, lock, and machine: when the npm that started a program is gone, however it went, the program ends as well. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listPids } from '../process/proc-files.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
let data: string;
let started: ChildProcess | null = null;
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'tls-toll-npm-'));
});
afterEach(() => {
  started?.kill('SIGKILL');
  for (const pid of ours()) process.kill(pid, 'SIGKILL');
  rmSync(data, { recursive: true, force: true });
});

/** All processes that have our data directory in their environment: npm and what it started. */
function ours(): number[] {
  return listPids().filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(data);
    } catch {
      return false;
    }
  });
}

/** Runs until the program says that it listens. */
async function start(command: string, args: string[], extra: NodeJS.ProcessEnv = {}): Promise<ChildProcess> {
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, PORT: '0', TLS_TOLL_DATA: data, npm_config_update_notifier: 'false', ...extra };
  const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
  started = child;
  for await (const line of createInterface(child.stdout)) if (line.includes('listens on')) return child;
  throw new Error('it ended before it listened');
}

const signals = ['SIGTERM', 'SIGHUP', 'SIGKILL'] as const;

test.each(signals)('npm start: the server ends when npm gets %s', async (signal) => {
  const npm = await start('npm', ['start']);
  expect(ours().length).toBeGreaterThan(1);
  npm.kill(signal);
  await expect.poll(ours).toEqual([]);
  // What a proper end leaves of the database.
  expect(existsSync(join(data, 'tls-toll.sqlite'))).toBe(true);
  expect(existsSync(join(data, 'tls-toll.sqlite-wal'))).toBe(false);
});

test.each(signals)('npx tls-toll: the server ends when npx gets %s', async (signal) => {
  const npx = await start('npx', ['--no', 'tls-toll', 'serve']);
  npx.kill(signal);
  await expect.poll(ours).toEqual([]);
});

test('tls-toll: the server ends when its launcher is killed', async () => {
  const launcher = await start('node', ['server/bin/tls-toll.mjs', 'serve']);
  launcher.kill('SIGKILL');
  await expect.poll(ours).toEqual([]);
});

test('without npm, the server stays when the shell that started it ends', async () => {
  const shell = await start('sh', ['-c', 'nohup node server/main.ts & sleep 600']);
  shell.kill('SIGKILL');
  // As long as it takes to notice, twice.
  await new Promise((resolve) => setTimeout(resolve, 2500));
  const commands = ours().map((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
  expect(commands.filter((line) => line.includes('server/main.ts'))).toHaveLength(1);
});
