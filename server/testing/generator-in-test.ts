import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { NetworkHost } from './network-host.ts';
import { untilAsync } from './until-async.ts';

const program = fileURLToPath(new URL('../edge/cli.ts', import.meta.url));

type Choice = { join: string; key: string; tokenFile: string; name: string; allow: string };

export type GeneratorInTest = {
  child: ChildProcess;
  /** All that it printed so far. */
  said(): string;
  /** Resolves once it has printed this. */
  until(words: string): Promise<void>;
};

/** `tls-toll generator` on another host. It ends with the host. */
export function startGeneratorInTest(
  host: NetworkHost,
  { allow, ...options }: Choice,
  environment: NodeJS.ProcessEnv = {},
): GeneratorInTest {
  const flags = Object.entries({ ...options, allow }).flatMap(([name, value]) => [
    `--${name === 'tokenFile' ? 'token-file' : name}`,
    value,
  ]);
  const args = ['--disable-warning=ExperimentalWarning', program, 'generator', '--cores', '1', ...flags];
  const child = host.start(process.execPath, args, { env: { ...process.env, ...environment } });
  let said = '';
  child.stdout?.on('data', (text) => {
    said += text;
  });
  child.stderr?.on('data', (text) => {
    said += text;
  });
  return {
    child,
    said: () => said,
    async until(words) {
      await untilAsync(
        async () => said,
        (text) => text.includes(words),
      );
    },
  };
}
