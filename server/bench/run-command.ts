import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../edge/cli.ts', import.meta.url));

export type RunningCommand = {
  child: ChildProcess;
  /** All that it printed so far. */
  said(): string;
  /** Resolves to its exit code. */
  ended: Promise<number>;
};

/** `tls-toll`, as a user types it. */
export function runCommand(args: readonly string[], environment: NodeJS.ProcessEnv): RunningCommand {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: environment,
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      said += text;
    });
  }
  return { child, said: () => said, ended: once(child, 'close').then(([code]) => code ?? 1) };
}
