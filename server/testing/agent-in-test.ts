import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AgentAt } from '../../shared/target/readings.ts';

/** `tls-toll agent` as a process of its own, with a token and a key of its own. */
export type AgentInTest = {
  at: AgentAt;
  token: string;
  tokenFile: string;
  child: ChildProcess;
  stop(): Promise<void>;
};

type Choice = {
  host?: string;
  /** Starts it elsewhere, such as on another host. */
  start?: (command: string, args: readonly string[]) => ChildProcess;
};

const program = fileURLToPath(new URL('../edge/cli.ts', import.meta.url));

/** @param watched such as `['--pid', '123']` */
export async function startAgentInTest(
  watched: readonly string[],
  { host = '127.0.0.1', start = spawn }: Choice = {},
): Promise<AgentInTest> {
  const directory = mkdtempSync(join(tmpdir(), 'tls-toll-agent-'));
  const tokenFile = join(directory, 'agent.token');
  const child = start(process.execPath, [
    ...['--disable-warning=ExperimentalWarning', program, 'agent'],
    ...['--token-file', tokenFile, '--host', host, '--listen', '0', ...watched],
  ]);
  const ended = once(child, 'close');
  child.stderr?.pipe(process.stderr);
  let printed = '';
  for await (const text of child.stdout ?? []) {
    printed += text;
    if (/Fingerprint: .*\n/.test(printed)) break;
  }
  const [, port] = /:(\d+) and reads/.exec(printed) ?? [];
  const [, fingerprint = ''] = /Fingerprint: (\S+)/.exec(printed) ?? [];
  return {
    at: { address: host, port: Number(port), name: `${host}:${port}`, fingerprint },
    token: readFileSync(tokenFile, 'utf8').trim(),
    tokenFile,
    child,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      rmSync(directory, { recursive: true });
    },
  };
}
