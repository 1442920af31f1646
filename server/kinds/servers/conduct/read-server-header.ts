import { problem } from '../../../../shared/base/problem.ts';
import type { Listener } from '../../../../shared/target/target.ts';
import { reasonOf } from '../../../base/text/foreign-errors.ts';
import { askOnce } from '../../../base/wire/ask.ts';

const patienceMs = 5000;

/** Server header of a listener of plain HTTP; empty when it has none. Throws target_unreachable. */
export async function readServerHeader(
  { address, port, hostname }: Pick<Listener, 'address' | 'port' | 'hostname'>,
  path: string,
  signal: AbortSignal,
): Promise<string> {
  try {
    const place = { address, port, tls: null, host: `${hostname}:${port}` };
    const { headers } = await askOnce(place, { path }, { limitMs: patienceMs, signal });
    return headers.server ?? '';
  } catch (cause) {
    signal.throwIfAborted();
    throw problem('target_unreachable', `${address}:${port} ${reasonOf(cause)}.`, { cause });
  }
}
