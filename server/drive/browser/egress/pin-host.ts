import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { Permit } from '../../../../shared/target/permitted-target.ts';
import { judgeAddress } from '../../../base/addresses/target-policy.ts';
import { withinTime } from '../../../base/process/within-time.ts';

/** Addresses that a name may be reached at, or a sentence that says why there are none. */
export type Pinned = { addresses: [string, ...string[]] } | { reason: string };

const lookupMs = 5_000;
/** A page may make names up as fast as it can. */
const most = { names: 1_000, lookups: 2, waiting: 100 };

/**
 * Looks each name up once, judges every address that it leads to, and stays with the answer: a name cannot lead
 * elsewhere later. One that led nowhere is looked up again.
 * @param known names that are not looked up, such as the storefront's, and their address
 */
export function openPins(
  known: ReadonlyMap<string, string>,
  permits: readonly Permit[],
): (hostname: string) => Promise<Pinned> {
  const pins = new Map<string, Promise<Pinned>>(
    [...known].map(([hostname, address]) => [hostname, Promise.resolve(judge(hostname, [address], permits))]),
  );
  const lookUp = openLookups();

  async function pin(hostname: string): Promise<Pinned> {
    const addresses = isIP(hostname) === 0 ? await withinTime(lookUp(hostname), lookupMs, []) : [hostname];
    if (addresses.length === 0) pins.delete(hostname);
    return judge(hostname, addresses, permits);
  }

  return (hostname) => {
    const known = pins.get(hostname);
    if (known !== undefined) return known;
    if (pins.size >= most.names) return Promise.resolve({ reason: 'Too many hosts were asked for.' });
    const pinned = pin(hostname);
    pins.set(hostname, pinned);
    return pinned;
  };
}

function judge(hostname: string, [first, ...others]: string[], permits: readonly Permit[]): Pinned {
  if (first === undefined) return { reason: `${hostname} cannot be resolved.` };
  for (const address of [first, ...others]) {
    const verdict = judgeAddress(address, hostname, permits);
    if (!verdict.permitted) {
      return {
        reason: `${address === hostname ? '' : `${hostname} resolves to ${address}. `}${verdict.reason}`,
      };
    }
  }
  return { addresses: [first, ...others] };
}

/**
 * A lookup holds one of the few threads that files are read by as well, for as long as a silent name server lets it: so a
 * few at a time. Empty when the name has no address.
 */
function openLookups(): (hostname: string) => Promise<string[]> {
  const waiting: (() => void)[] = [];
  let underWay = 0;
  return async (hostname) => {
    if (waiting.length >= most.waiting) return [];
    if (underWay < most.lookups) underWay += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return (await lookup(asLocal(hostname), { all: true })).map(({ address }) => address);
    } catch {
      return [];
    } finally {
      const next = waiting.shift();
      if (next === undefined) underWay -= 1;
      else next();
    }
  };
}

/** `shop.localhost` is this machine, as a browser takes it, whatever a name server says: RFC 6761, section 6.3. */
function asLocal(hostname: string): string {
  return /(^|\.)localhost\.?$/i.test(hostname) ? 'localhost' : hostname;
}
