import type { Listener } from '../../../shared/target.ts';
import { byArm, schemeOf } from '../../../shared/transport.ts';
import { type K6Pairs, writeK6Pairs } from '../../export/write-k6-pairs.ts';
import { hostOf } from '../request-bytes.ts';
import type { AskedConfiguration } from './generator-of-crew.ts';

/** The script of pairs for what is to be measured. */
export function scriptOf(
  { listeners, thinkTimeScale, ...configuration }: AskedConfiguration,
  how: Pick<K6Pairs, 'control' | 'requestsPerS'>,
): string {
  const { scenario, tls, connections, connectionPolicy, requestTimeoutMs } = configuration;
  const originOf = (listener: Listener) => `${schemeOf(listener.transport)}://${hostOf(listener)}`;
  const named = listeners.filter(({ hostname, address }) => hostname !== address);
  return writeK6Pairs({
    ...{ scenario, tls, connections, connectionPolicy, thinkTimeScale, requestTimeoutMs, ...how },
    origins: byArm((arm) => listeners.filter((each) => each.arm === arm).map(originOf)[0] ?? ''),
    hosts: Object.fromEntries(
      named.map(({ hostname, address, port }) => [`${hostname}:${port}`, `${bracketed(address)}:${port}`]),
    ),
  });
}

function bracketed(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}

/** PEM of all that the listeners trust; null for the system's. */
export function authoritiesOf(listeners: readonly Listener[]): string | null {
  const authorities = [...new Set(listeners.flatMap(({ ca }) => ca ?? []))];
  return authorities.length === 0 ? null : authorities.join('\n');
}
