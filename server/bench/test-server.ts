import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

type MeasuredServer = {
  url: string;
  dataDirectory: string;
  /** Also removes the data directory, unless `keep` is set. */
  stop(options?: { keep: boolean }): Promise<void>;
};

const usual = { PORT: '0', HOST: '127.0.0.1' };
const entry = fileURLToPath(new URL('../edge/main.ts', import.meta.url));

/** The server as `npm start` runs it, on a free port, with its own data directory. It ends with this process. */
export async function startMeasuredServer(dataDirectory = makeDataDirectory()): Promise<MeasuredServer> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', entry], {
    env: { ...process.env, ...usual, TLS_TOLL_LAUNCHER: `${process.pid}`, TLS_TOLL_DATA: dataDirectory },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await readUrl(child);
  return {
    url,
    dataDirectory,
    async stop({ keep } = { keep: false }) {
      const exited = once(child, 'exit');
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM');
        await exited;
      }
      if (!keep) rmSync(dataDirectory, { recursive: true, force: true });
    },
  };
}

export function makeDataDirectory(): string {
  return mkdtempSync(join(tmpdir(), 'tls-toll-bench-'));
}

async function readUrl(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('the server has no output');
  for await (const line of createInterface({ input: child.stdout })) {
    const [url] = /http:\/\/\S+/.exec(line) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error('the server ended before it listened');
}
