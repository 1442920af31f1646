import type { LookupFunction, Socket } from 'node:net';
import { isAddress } from '../../../base/addresses/target-policy.ts';

/** Where a host was found to be, and may be reached. */
export type Addresses = [string, ...string[]];

/** An IPv6 address without the brackets of a URL. */
export function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/** Ends a connection that leads to none of the addresses, before anything is sent. */
export function keepTo(socket: Socket, addresses: Addresses): void {
  const check = () => {
    if (!addresses.some((address) => isAddress(socket.remoteAddress, address))) socket.destroy();
  };
  if (socket.connecting) socket.prependOnceListener('connect', check);
  else check();
}

/** A lookup that knows one answer. */
export function lookupOf([first, ...others]: Addresses): LookupFunction {
  const familyOf = (address: string) => (address.includes(':') ? 6 : 4);
  return (_hostname, options, callback) => {
    if (options.all === true) {
      callback(
        null,
        [first, ...others].map((address) => ({ address, family: familyOf(address) })),
      );
    } else callback(null, first, familyOf(first));
  };
}

/** Either side may go away at any time; the other is closed with it. */
export function ignore(): void {}
