import { get } from 'node:http';
import { problem } from '../../../../shared/base/problem.ts';
import type { Listener } from '../../../../shared/target/target.ts';

const patienceMs = 5000;

/** What a listener of plain HTTP calls itself; empty when it says nothing. Throws target_unreachable. */
export function readServerHeader(
  { address, port, hostname }: Pick<Listener, 'address' | 'port' | 'hostname'>,
  path: string,
  signal: AbortSignal,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = get(
      {
        ...{ host: address, port, path, agent: false },
        headers: { host: `${hostname}:${port}` },
        signal: AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]),
      },
      (response) => {
        const name = String(response.headers.server ?? '');
        response.resume().on('error', reject);
        response.on('end', () => resolve(name));
      },
    );
    request.on('error', (cause) =>
      reject(
        signal.aborted
          ? signal.reason
          : problem('target_unreachable', `${address}:${port} did not answer: ${cause.message}.`, { cause }),
      ),
    );
  });
}
