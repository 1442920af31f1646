/** Protects port, lock, and machine: when the npm that started a server or a runner is gone, however it went, it ends as well. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listPids } from '../base/process/proc.ts';
import { createPostgresDatabase } from '../testing/database-in-test.ts';
import { isMeasuring, type LabInTest, startLabServer } from '../testing/lab-in-test.ts';
import { findPostgres } from '../testing/postgres-cluster.ts';
import { endPrograms } from '../testing/program-in-test.ts';

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

/** Runs until the program says that it is ready. */
async function start(command: string, args: string[], extra: NodeJS.ProcessEnv = {}): Promise<ChildProcess> {
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  const env = {
    PATH,
    HOME,
    NODE_COMPILE_CACHE,
    PORT: '0',
    TLS_TOLL_DATA: data,
    npm_config_update_notifier: 'false',
    ...extra,
  };
  const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
  started = child;
  const isReady = /listens on|is waiting for runs/;
  for await (const line of createInterface(child.stdout)) if (isReady.test(line)) return child;
  throw new Error('it ended before it was ready');
}

test.each(['SIGTERM', 'SIGKILL'] as const)('npm start: the server ends when npm gets %s', async (signal) => {
  const npm = await start('npm', ['start']);
  expect(ours().length).toBeGreaterThan(1);
  npm.kill(signal);
  await expect.poll(ours).toEqual([]);
  // A proper end leaves the database without its write-ahead log.
  expect(existsSync(join(data, 'tls-toll.sqlite'))).toBe(true);
  expect(existsSync(join(data, 'tls-toll.sqlite-wal'))).toBe(false);
});

// SIGTERM is below, for a runner.
test.each(['SIGHUP', 'SIGKILL'] as const)(
  'npx tls-toll: the server ends when npx gets %s',
  async (signal) => {
    const npx = await start('npx', ['--no', 'tls-toll', 'serve']);
    npx.kill(signal);
    await expect.poll(ours).toEqual([]);
  },
);

describe.skipIf(findPostgres() === null)('a runner that npx started', () => {
  let databaseUrl: string;
  let dashboardData: string;
  let dashboard: LabInTest;
  beforeAll(async () => {
    databaseUrl = await createPostgresDatabase();
    dashboardData = mkdtempSync(join(tmpdir(), 'tls-toll-dashboard-'));
    dashboard = await startLabServer({
      ...{ TLS_TOLL_DATA: dashboardData, DATABASE_URL: databaseUrl, TLS_TOLL_RUNNER: 'off' },
    });
  });
  afterAll(() => {
    endPrograms();
    rmSync(dashboardData, { recursive: true, force: true });
  });

  test('ends with its measurement and takes no other when npx gets SIGTERM', async () => {
    const asked = ['--no', 'tls-toll', 'runner', '--name', 'by-npx'];
    const npx = await start('npx', asked, { DATABASE_URL: databaseUrl });
    const [first, second] = [await dashboard.createLong(), await dashboard.createLong()];
    const viewer = dashboard.watch(first.body.id);
    await viewer.until(isMeasuring);

    npx.kill('SIGTERM');
    await expect.poll(ours).toEqual([]);
    expect(await viewer.until(({ type }) => type === 'end')).toMatchObject({ state: 'interrupted' });
    expect((await dashboard.read(second.body.id)).body).toMatchObject({ state: 'queued' });
  });
});

test('tls-toll: the server ends when its launcher is killed', async () => {
  const launcher = await start('node', ['server/bin/tls-toll.mjs', 'serve']);
  launcher.kill('SIGKILL');
  await expect.poll(ours).toEqual([]);
});

test('without npm, the server stays when the shell that started it ends', async () => {
  const shell = await start('sh', ['-c', 'nohup node server/edge/main.ts & sleep 600']);
  shell.kill('SIGKILL');
  // Twice the time that the server would take to notice.
  await new Promise((resolve) => setTimeout(resolve, 2500));
  const commands = ours().map((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
  expect(commands.filter((line) => line.includes('server/edge/main.ts'))).toHaveLength(1);
});
