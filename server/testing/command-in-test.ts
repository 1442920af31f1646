import { runCommand } from '../edge/commands/run-command.ts';

type CommandInTest = { code: number; stdout: string; stderr: string };

const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
const always = { PATH, HOME, NODE_COMPILE_CACHE, CHROMIUM_PATH: '/nowhere' };

/**
 * For tests: what `npx tls-toll` does, without the second that a process takes to load it. One at a time, as it has this process's
 * environment and streams meanwhile.
 */
export async function runCommandInTest(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<CommandInTest> {
  const printed = { stdout: '', stderr: '' };
  const before = process.env;
  const restore = (['stdout', 'stderr'] as const).map((name) => {
    const stream = process[name];
    const { write } = stream;
    stream.write = (text: string | Uint8Array) => {
      printed[name] += text;
      return true;
    };
    return () => {
      stream.write = write;
    };
  });
  process.env = { ...always, ...environment };
  try {
    return { code: await runCommand(args), ...printed };
  } finally {
    process.env = before;
    for (const each of restore) each();
  }
}
