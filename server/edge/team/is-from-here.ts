import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

/** Identifies a caller: what they send, and where it comes from. */
export type Caller = Pick<IncomingMessage, 'headers' | 'socket'>;

/** Headers that proxies add. Behind a proxy on this machine, every peer is loopback. */
const forwarding = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
];

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Whether a program of this machine sent it, and no proxy passed it on. Who reaches an address from itself is on its machine. */
export function isFromHere({ headers, socket: { remoteAddress = '', localAddress } }: Caller): boolean {
  const family = isIP(remoteAddress) === 6 ? 'ipv6' : 'ipv4';
  if (isIP(remoteAddress) === 0) return false;
  if (!loopback.check(remoteAddress, family) && remoteAddress !== localAddress) return false;
  return forwarding.every((name) => headers[name] === undefined);
}
