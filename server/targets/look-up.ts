import { lookup } from 'node:dns/promises';
import { unlessAborted } from '../base/addresses/unless-aborted.ts';

/** Addresses of a name, in the order in which they are to be tried. Rejects when it has none, or when that takes too long. */
export type LookUp = (hostname: string) => Promise<[string, ...string[]]>;

const lookUpMs = 5_000;

export const lookUp: LookUp = async (hostname) => {
  const found = await unlessAborted(AbortSignal.timeout(lookUpMs), lookup(hostname, { all: true }));
  const [first, ...others] = found.map((entry) => entry.address);
  if (first === undefined) throw new Error('no address');
  return [first, ...others];
};

/** Asks for each name once and stays with the answer, so that all arms of a run go to the same address until its end. */
export function lookUpOnce(look: LookUp = lookUp): LookUp {
  const known = new Map<string, ReturnType<LookUp>>();
  return (hostname) => {
    const before = known.get(hostname);
    if (before !== undefined) return before;
    const asked = look(hostname);
    known.set(hostname, asked);
    return asked;
  };
}
