import { twoSidesAndTwin } from '../../../shared/base/transport.ts';
import type { Permit } from '../../../shared/target/permitted-target.ts';
import type { OwnListener } from '../../base/addresses/own-listeners.ts';
import { openTarget, type RunHouse } from '../../targets/open-target.ts';
import { startLimit } from '../../targets/start-limit.ts';

/** Where a recording begins: the storefront is started for it, anything else is there already. */
export type Start = {
  url: string;
  /** Names that are not looked up, and their address. */
  known: ReadonlyMap<string, string>;
  /** Hosts besides this machine. */
  permits: readonly Permit[];
  own: readonly OwnListener[];
  close(): Promise<void>;
};

/** @param at an address, or `storefront` */
export async function openStart(at: string, house: RunHouse, signal: AbortSignal): Promise<Start> {
  const permits = (await house.permits?.()) ?? [];
  const own = house.own?.() ?? [];
  if (at !== 'storefront') return { url: at, known: new Map(), permits, own, close: async () => {} };
  const patience = AbortSignal.any([signal, startLimit()]);
  const target = await openTarget(
    { target: { kind: 'storefront' }, transports: ['http', 'https'], arms: twoSidesAndTwin },
    house,
    patience,
  );
  const { hostname, address, port } = target.listeners.baseline;
  return {
    url: `http://${hostname}:${port}/`,
    known: new Map([[hostname, address]]),
    permits,
    own,
    close: () => target.stop(),
  };
}
