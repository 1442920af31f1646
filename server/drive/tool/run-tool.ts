import { problem } from '../../../shared/base/problem.ts';
import { runChildAtOnce } from '../../base/process/children.ts';
import { startAskedProcess } from '../../base/process/start-asked-process.ts';
import { type Counts, type Order, questions } from './messages.ts';

const graceMs = 30_000;

/** Reaches nothing but the listener, and ends with all that it has started. */
const namespaces = ['unshare', '--net', '--pid', '--fork', '--kill-child', '--mount-proc'];

/**
 * Runs a tool against a listener that counts. As root, or where users may make namespaces, it is alone with the listener. Throws
 * tool_failed where it cannot be started.
 */
export async function runTool(
  order: Omit<Order, 'alone'>,
  signal: AbortSignal,
): Promise<Counts & { alone: boolean }> {
  const through = waysToBeAlone().find(isPossible) ?? [];
  const alone = through.length > 0;
  const running = await startAskedProcess({
    script: new URL('./tool-process.ts', import.meta.url),
    ...{ questions, name: 'The process that runs the tool', code: 'tool_failed', graceMs, through },
    refused: (reason) => problem('tool_failed', reason),
    serialization: 'json',
    detached: true,
  });
  try {
    const asked = { ...order, alone };
    return { ...(await running.ask('inspect', asked, { expectedMs: order.limitMs, signal })), alone };
  } finally {
    await running.stop();
  }
}

function waysToBeAlone(): string[][] {
  const asUser = [...namespaces, '--user', '--map-root-user'];
  return process.getuid?.() === 0 ? [namespaces] : [asUser];
}

function isPossible([program = '', ...args]: string[]): boolean {
  return runChildAtOnce(program, [...args, 'ip', 'link', 'set', 'lo', 'up'], { timeout: 5000 }).status === 0;
}
