import type { Listener } from '../../shared/target.ts';
import type { Permission } from './resolve-origins.ts';

/** Waits until no other check of another host goes on; on this machine at once. */
export function inTurn<Result>(
  listeners: readonly Pick<Listener, 'permit'>[],
  { takeTurn }: Permission,
  signal: AbortSignal,
  check: () => Promise<Result>,
): Promise<Result> {
  const isElsewhere = listeners.some(({ permit }) => permit !== undefined);
  return isElsewhere && takeTurn !== undefined ? takeTurn(signal, check) : check();
}
