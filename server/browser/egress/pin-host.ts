import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { judgeAddress } from '../../plan/target-policy.ts';

/** Addresses that a name may be reached at, or a sentence that says why there are none. */
export type Pinned = { addresses: [string, ...string[]] } | { reason: string };

const lookupMs = 5_000;

/**
 * Looks each name up once, judges every address that it leads to, and stays with the answer: a name cannot lead
 * elsewhere later.
 * @param known names that are not looked up, such as the storefront's, and their address
 */
export function openPins(known: ReadonlyMap<string, string>): (hostname: string) => Promise<Pinned> {
  const pins = new Map<string, Promise<Pinned>>(
    [...known].map(([hostname, address]) => [hostname, Promise.resolve(judge(hostname, [address]))]),
  );
  return (hostname) => {
    const pinned = pins.get(hostname) ?? pin(hostname);
    pins.set(hostname, pinned);
    return pinned;
  };
}

async function pin(hostname: string): Promise<Pinned> {
  return judge(hostname, isIP(hostname) === 0 ? await addressesOf(hostname) : [hostname]);
}

function judge(hostname: string, [first, ...others]: string[]): Pinned {
  if (first === undefined) return { reason: `${hostname} cannot be resolved.` };
  for (const address of [first, ...others]) {
    const verdict = judgeAddress(address);
    if (!verdict.permitted) {
      return {
        reason: `${address === hostname ? '' : `${hostname} leads to ${address}. `}${verdict.reason}`,
      };
    }
  }
  return { addresses: [first, ...others] };
}

/** Empty when the name has none, or nobody answers in time. */
async function addressesOf(hostname: string): Promise<string[]> {
  const { promise: tooLate, resolve } = Promise.withResolvers<never[]>();
  const timer = setTimeout(resolve, lookupMs, []);
  try {
    return (await Promise.race([lookup(hostname, { all: true }), tooLate])).map(({ address }) => address);
  } catch {
    return [];
  } finally {
    clearTimeout(timer);
  }
}
