import { networkInterfaces } from 'node:os';

/**
 * Addresses of this machine that connections to its loopback come from. A closed connection holds its port for a minute, and one address
 * has some 28,000: from one alone, more connections in a minute than that would find none. All of 127.0.0.0/8 is the loopback's where
 * its interface has that mask, as on every usual Linux.
 */

const perBlock = 254;
const blocks = 4;

/**
 * From how many addresses connections to an address come.
 * @param opens whether new ones are opened all the time
 */
export function countSources(
  address: string,
  opens: boolean,
  isWide: () => boolean = hasWideLoopback,
): number {
  return /^127\./.test(address) && opens && isWide() ? perBlock * blocks : 1;
}

/** The `nth` of them, by turns. */
export function sourceAddress(nth: number): string {
  const place = nth % (perBlock * blocks);
  return `127.17.${Math.floor(place / perBlock)}.${1 + (place % perBlock)}`;
}

let wide: boolean | null = null;

function hasWideLoopback(): boolean {
  wide ??= Object.values(networkInterfaces()).some((addresses = []) =>
    addresses.some(({ cidr, internal }) => internal && cidr === '127.0.0.1/8'),
  );
  return wide;
}
