import { get } from 'node:http';
import { problem } from '../../../../shared/base/problem.ts';
import type { Listener } from '../../../../shared/target/target.ts';
import { answerOf } from '../../../base/wire/answer-of.ts';

const patienceMs = 5000;

/** What a listener of plain HTTP calls itself; empty when it says nothing. Throws target_unreachable. */
export async function readServerHeader(
  { address, port, hostname }: Pick<Listener, 'address' | 'port' | 'hostname'>,
  path: string,
  signal: AbortSignal,
): Promise<string> {
  const asked = get({
    ...{ host: address, port, path, agent: false },
    headers: { host: `${hostname}:${port}` },
    signal: AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]),
  });
  try {
    const { headers } = await answerOf(asked);
    return String(headers.server ?? '');
  } catch (cause) {
    signal.throwIfAborted();
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw problem('target_unreachable', `${address}:${port} gave no usable response: ${reason}.`, { cause });
  } finally {
    asked.destroy();
  }
}
