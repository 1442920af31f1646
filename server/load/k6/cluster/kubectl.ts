import { text } from 'node:stream/consumers';
import { problem } from '../../../../shared/problem.ts';
import { environmentOf, startChild } from '../../../process/children.ts';

const longestMs = 30_000;

/**
 * What kubectl printed, with the context and credentials of this user. Throws k6_failed with what it said; rejects with the
 * signal's reason.
 */
export async function kubectl(
  args: readonly string[],
  { input = '', signal }: { input?: string; signal?: AbortSignal | undefined } = {},
): Promise<string> {
  signal?.throwIfAborted();
  const late = AbortSignal.timeout(longestMs);
  const child = startChild('kubectl', args, {
    env: environmentOf('kubectl'),
    signal: signal === undefined ? late : AbortSignal.any([signal, late]),
    killSignal: 'SIGKILL',
  });
  const ended = new Promise<string | null>((resolve) => {
    child.once('error', ({ message }) =>
      resolve(late.aborted ? `no answer for ${longestMs / 1000} s` : message),
    );
    child.once('close', (code) => resolve(code === 0 ? null : `exit code ${code}`));
  });
  // It may end before it has read its input; `close` reports that.
  child.stdin.on('error', () => {}).end(input);
  const [printed, said, fault] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  signal?.throwIfAborted();
  if (fault === null) return printed;
  const last = said.trim().split('\n').at(-1) ?? '';
  const detail = (last === '' ? fault : last).slice(0, 300).replace(/\.?$/, '.');
  throw problem('k6_failed', `kubectl ${args[0]} failed: ${detail}`);
}

/** Whether kubectl is there and knows a cluster: that of its current context, or the one that this pod is in. */
export async function knowsCluster(signal: AbortSignal | undefined): Promise<boolean> {
  try {
    const printed = await kubectl(['config', 'current-context'], { signal });
    return printed.trim() !== '';
  } catch {
    signal?.throwIfAborted();
    return process.env.KUBERNETES_SERVICE_HOST !== undefined && (await isThere(signal));
  }
}

async function isThere(signal: AbortSignal | undefined): Promise<boolean> {
  return kubectl(['version', '--client'], { signal }).then(
    () => true,
    () => false,
  );
}
