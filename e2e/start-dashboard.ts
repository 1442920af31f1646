import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { z } from 'zod';
import { type AskedProcess, startAskedProcess } from '../server/base/process/asked-process.ts';
import { ProcessTree, readProcessStat } from '../server/base/process/proc.ts';
import { chromiumInTest } from '../server/testing/chromium-in-test.ts';
import { questions } from '../server/testing/dashboard-messages.ts';
import { patienceMs } from '../server/testing/patience.ts';
import { briefly, rolledOrNot } from '../server/testing/program-in-test.ts';
import type { Plan } from '../shared/kinds/comparison/load-profile.ts';

const endingMs = 30_000;

/** The real server on a free port, with a data directory of its own. */
export type Dashboard = {
  url: string;
  dataDirectory: string;
  /** Ends the server and removes its data. Fails unless all that it started is gone. */
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
  /** Its runs are brief, with these changes. */
  plan?: Partial<Plan>;
  /** More of its environment. */
  environment?: NodeJS.ProcessEnv;
};

/** With an environment it is a process of its own, with a browser; else it shares one, and has a browser for runs with a plan. */
export async function startDashboard({
  fill,
  pace,
  plan,
  environment,
}: DashboardOptions = {}): Promise<Dashboard> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'tls-toll-e2e-'));
  await fill?.(dataDirectory);
  const { url, stop } = await (environment === undefined
    ? openShared({ dataDirectory, pace: pace ?? null, plan: plan ?? null })
    : launch(dataDirectory, pace, plan, environment));
  return {
    url,
    dataDirectory,
    async dispose() {
      await stop();
      await rm(dataDirectory, { recursive: true });
    },
  };
}

type Opened = { url: string; stop(): Promise<void> };

const root = fileURLToPath(new URL('..', import.meta.url));
const processOfDashboards = 'server/testing/dashboards-process.ts';

let shared: Promise<AskedProcess<typeof questions>> | null = null;

/** In a process that all of this worker share, and that ends with it. */
async function openShared(asked: z.input<typeof questions.open.question>): Promise<Opened> {
  shared ??= startAskedProcess({
    ...{ script: pathToFileURL(resolve(root, rolledOrNot(processOfDashboards))), questions },
    ...{ name: 'The process of dashboards', code: 'server_failed', graceMs: patienceMs },
  });
  const { pid, ask } = await shared;
  const before = new Set(
    familyOf(pid)
      ?.list()
      .map((member) => member.pid),
  );
  const url = await ask('open', asked);
  return {
    url,
    async stop() {
      const family = familyOf(pid);
      await ask('close', url);
      await demandGone(() => family?.list().filter((member) => !before.has(member.pid)) ?? []);
    },
  };
}

async function launch(
  dataDirectory: string,
  pace: number | undefined,
  plan: Partial<Plan> | undefined,
  environment: NodeJS.ProcessEnv,
): Promise<Opened> {
  const program =
    pace === undefined ? ['server/edge/main.ts'] : ['server/testing/scripted-server.ts', `${pace}`];
  const child = spawn(
    process.execPath,
    [...(plan === undefined ? [] : briefly), ...program.map(rolledOrNot)],
    {
      cwd: root,
      env: {
        ...process.env,
        HOST: '127.0.0.1',
        PORT: '0',
        TLS_TOLL_DATA: dataDirectory,
        DATABASE_URL: undefined,
        STOREFRONT_DATABASE_URL: undefined,
        CHROMIUM_PATH: chromiumInTest ?? undefined,
        BRIEF_PLAN: JSON.stringify(plan),
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /^TLS Toll listens on (http:\S+)$/.exec(line)?.[1];
    if (url !== undefined) {
      child.stdout.resume();
      return { url, stop: () => end(child) };
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
  await demandGone(() => family?.list() ?? []);
}

/** Processes of a browser that was killed are still ending on a busy machine. */
async function demandGone(listLeft: () => { pid: number }[]): Promise<void> {
  const mostMs = performance.now() + endingMs;
  while (listLeft().length > 0 && performance.now() < mostMs) await pause(100);
  const left = listLeft();
  if (left.length > 0) {
    throw new Error(`The server left processes behind: ${left.map(({ pid }) => pid).join(', ')}.`);
  }
}

/** A process and all that it started; null where there is no `/proc`. */
function familyOf(pid: number): ProcessTree | null {
  const stat = readProcessStat(pid);
  if (stat === null) return null;
  const family = new ProcessTree({ pid, stat });
  family.list();
  return family;
}
