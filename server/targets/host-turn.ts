import type { Listener } from '../../shared/target/target.ts';
import type { Permission } from './resolve-origins.ts';

type Listeners = readonly Pick<Listener, 'permit'>[];

/** Waits until no other check of another host goes on; on this machine at once. Throws target_busy. */
export function checkInTurn<Result>(
  listeners: Listeners,
  { hostTurns }: Permission,
  signal: AbortSignal,
  check: () => Promise<Result>,
): Promise<Result> {
  const hosts = hostsOf(listeners);
  return hosts.length === 0 || hostTurns === undefined ? check() : hostTurns.check(hosts, signal, check);
}

/** Keeps checks from the hosts until it is called; on this machine nothing. */
export async function takeHosts(
  listeners: Listeners,
  { hostTurns }: Permission,
  signal: AbortSignal,
): Promise<() => void> {
  const hosts = hostsOf(listeners);
  return hosts.length === 0 || hostTurns === undefined ? () => {} : hostTurns.take(hosts, signal);
}

function hostsOf(listeners: Listeners): string[] {
  return listeners.flatMap(({ permit }) => permit?.host ?? []);
}
