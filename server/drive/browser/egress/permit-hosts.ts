import type { Permit } from '../../../../shared/target/permitted-target.ts';
import { type OwnListener, reasonAgainstOwn } from '../../../base/addresses/own-listeners.ts';
import { openPins, type Pinned } from './pin-host.ts';
import { bare } from './reach.ts';

/** A host that was asked for and not reached. */
export type BlockedHost = { host: string; count: number; reason: string };

export type EgressOptions = {
  /** Names that are not looked up, and their address. */
  known: ReadonlyMap<string, string>;
  /** Hosts besides this machine. */
  permits: readonly Permit[];
  /** The dashboard's own, which no page may reach. */
  own: readonly OwnListener[];
  onRefused(blocked: BlockedHost): void;
  /** Told once for each host, of this machine too, before anything is sent to it. */
  onReached?: ((origin: string) => void) | undefined;
};

const mostHosts = 100;

type PermittedHosts = {
  /** Where the host may be reached, or why it may not. */
  judge(url: URL): Promise<Pinned>;
  /** The same, and counted as reached or refused. */
  permit(url: URL): Promise<Pinned>;
  /** In the order of their first request. */
  blocked(): BlockedHost[];
};

/** Which hosts may be reached: of those that are permitted, none of the dashboard's own listeners. */
export function permitHosts({ known, permits, own, onRefused, onReached }: EgressOptions): PermittedHosts {
  const pin = openPins(known, permits);
  const refused = new Map<string, BlockedHost>();
  const reached = new Set<string>();

  async function judge({ hostname, port, protocol }: URL): Promise<Pinned> {
    const pinned = await pin(bare(hostname));
    if ('reason' in pinned) return pinned;
    const at = Number(port) || (protocol === 'http:' ? 80 : 443);
    const reasons = pinned.addresses.map((address) => reasonAgainstOwn(address, at, own));
    const reason = reasons.find((each) => each !== null);
    return reason === undefined ? pinned : { reason };
  }

  function refuse(host: string, reason: string): void {
    const known = refused.get(host);
    if (known === undefined && refused.size >= mostHosts) return;
    const blocked = { host, count: (known?.count ?? 0) + 1, reason };
    refused.set(host, blocked);
    onRefused(blocked);
  }

  return {
    judge,
    async permit(url) {
      const { hostname, host, origin } = url;
      const pinned = await judge(url);
      if ('reason' in pinned) refuse(host, pinned.reason);
      else {
        if (!reached.has(hostname)) onReached?.(origin);
        reached.add(hostname);
      }
      return pinned;
    },
    blocked: () => [...refused.values()],
  };
}
