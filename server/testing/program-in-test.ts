import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** For tests: a program of this project as a process of its own, and what it prints. */
export type Program = {
  pid: number;
  stdout(): string;
  stderr(): string;
  /** The first match in what it prints to stdout; throws when it ends without. */
  prints(pattern: RegExp): Promise<RegExpExecArray>;
  kill(signal: NodeJS.Signals): void;
  /** Exit code, or the signal that ended it. */
  ended: Promise<number | NodeJS.Signals | null>;
};

const root = fileURLToPath(new URL('../..', import.meta.url));
const running = new Set<ChildProcess>();

const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
/** Without a browser: each run would start one. */
const always = { PATH, HOME, NODE_COMPILE_CACHE, CHROMIUM_PATH: '/nowhere' };

const { ROLLED_PROGRAMS: rolled } = process.env;

/** A program as a test starts it: rolled if `npm test` has rolled it with `server/bin/roll.mjs`. @param path from the root of the project */
export function rolledOrNot(path: string): string {
  const found = rolled === undefined ? null : join(rolled, path.replace(/\.ts$/, '.js'));
  return found !== null && path.endsWith('.ts') && existsSync(found) ? found : path;
}

/** Arguments of Node before a script whose runs are there for something else than their length. */
export const briefly = [
  '--import',
  pathToFileURL(resolve(root, rolledOrNot('server/testing/brief-program.ts'))).href,
];

/** @param script path from the root of the project, after arguments of Node */
export function startProgram(
  script: string | string[],
  args: string[],
  environment: NodeJS.ProcessEnv,
): Program {
  const child = spawn(process.execPath, [...[script].flat().map(rolledOrNot), ...args], {
    cwd: root,
    env: { ...always, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      printed[name] += text;
    });
  }
  const ended = once(child, 'close').then(([code, signal]: (number | NodeJS.Signals | null)[]) => {
    running.delete(child);
    return code ?? signal ?? null;
  });
  return {
    pid: child.pid ?? 0,
    stdout: () => printed.stdout,
    stderr: () => printed.stderr,
    async prints(pattern) {
      for (;;) {
        const match = pattern.exec(printed.stdout);
        if (match !== null) return match;
        const next = await Promise.race([once(child.stdout, 'data'), ended]);
        if (!Array.isArray(next)) {
          throw new Error(`the program ended (${next}) before it printed ${pattern}: ${printed.stderr}`);
        }
      }
    },
    kill: (signal) => child.kill(signal),
    ended,
  };
}

/** For `afterEach`: nothing that a failed test left behind goes on. */
export function endPrograms(): void {
  for (const child of running) child.kill('SIGKILL');
}

type MeasuredServer = {
  url: string;
  dataDirectory: string;
  /** Also removes the data directory, unless `keep` is set. */
  stop(options?: { keep: boolean }): Promise<void>;
};

/** The server as `npm start` runs it, on a free port, with its own data directory. It ends with this process. */
export async function startMeasuredServer(dataDirectory = makeDataDirectory()): Promise<MeasuredServer> {
  const own = { PORT: '0', HOST: '127.0.0.1', TLS_TOLL_LAUNCHER: `${process.pid}` };
  const environment = { CHROMIUM_PATH: undefined, ...process.env, ...own, TLS_TOLL_DATA: dataDirectory };
  const server = startProgram('server/edge/main.ts', [], environment);
  const [url] = await server.prints(/http:\/\/\S+/);
  return {
    url,
    dataDirectory,
    async stop({ keep } = { keep: false }) {
      server.kill('SIGTERM');
      await server.ended;
      if (!keep) rmSync(dataDirectory, { recursive: true, force: true });
    },
  };
}

export function makeDataDirectory(): string {
  return mkdtempSync(join(tmpdir(), 'tls-toll-bench-'));
}
