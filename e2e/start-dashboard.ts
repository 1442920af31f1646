import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readProcessStat } from '../server/base/process/process-stat.ts';
import { ProcessTree } from '../server/base/process/process-tree.ts';
import { chromiumInTest } from '../server/testing/chromium-in-test.ts';

const endingMs = 30_000;

/** The real server in its own process, on a free port, with a data directory of its own. */
export type Dashboard = {
  url: string;
  dataDirectory: string;
  /** Ends the server and removes its data. Fails unless it and all that it started are gone. */
  dispose(): Promise<void>;
};

type DashboardOptions = {
  /** Puts something into the data directory before the server opens it. */
  fill?: (dataDirectory: string) => Promise<unknown>;
  /**
   * Runs are measured by a script, and accepted however busy this machine is. Each slot takes this many times as long as it
   * says; left out, runs are measured for real.
   */
  pace?: number;
  /** More of its environment. */
  environment?: NodeJS.ProcessEnv;
};

export async function startDashboard({
  fill,
  pace,
  environment = {},
}: DashboardOptions = {}): Promise<Dashboard> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'tls-toll-e2e-'));
  await fill?.(dataDirectory);
  const program =
    pace === undefined ? ['server/edge/main.ts'] : ['server/testing/scripted-server.ts', `${pace}`];
  const { child, url } = await launch(program, dataDirectory, environment);
  return {
    url,
    dataDirectory,
    async dispose() {
      await end(child);
      await rm(dataDirectory, { recursive: true });
    },
  };
}

const root = fileURLToPath(new URL('..', import.meta.url));

async function launch(
  program: string[],
  dataDirectory: string,
  environment: NodeJS.ProcessEnv,
): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, program, {
    cwd: root,
    env: {
      ...process.env,
      HOST: '127.0.0.1',
      PORT: '0',
      TLS_TOLL_DATA: dataDirectory,
      DATABASE_URL: undefined,
      STOREFRONT_DATABASE_URL: undefined,
      CHROMIUM_PATH: chromiumInTest ?? undefined,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /^TLS Toll listens on (http:\S+)$/.exec(line)?.[1];
    if (url !== undefined) {
      child.stdout.resume();
      return { child, url };
    }
  }
  throw new Error(`The server ended before it listened (exit code ${child.exitCode}).`);
}

async function end(child: ChildProcess): Promise<void> {
  const family = child.pid === undefined ? null : familyOf(child.pid);
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const [code] = await ended;
  if (code !== 0) throw new Error(`The server ended with exit code ${code} when it was told to stop.`);
  // Processes of a browser that was killed are still ending on a busy machine.
  const mostMs = performance.now() + endingMs;
  while ((family?.list().length ?? 0) > 0 && performance.now() < mostMs) await pause(100);
  const left = family?.list() ?? [];
  if (left.length > 0) {
    throw new Error(`The server left processes behind: ${left.map(({ pid }) => pid).join(', ')}.`);
  }
}

/** The server and all that it started; null where there is no `/proc`. */
function familyOf(pid: number): ProcessTree | null {
  const stat = readProcessStat(pid);
  if (stat === null) return null;
  const family = new ProcessTree({ pid, stat });
  family.list();
  return family;
}
