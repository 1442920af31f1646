import type { Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { OwnListener } from '../addresses/own-listeners.ts';

/** Where a server that listens can be reached on this machine. */
export function ownListenersOf(server: Server): OwnListener[] {
  const at = server.address();
  if (at === null || typeof at === 'string') return [];
  const { address, port } = at;
  if (address !== '0.0.0.0' && address !== '::') return [{ host: address, port }];
  const own = Object.values(networkInterfaces()).flatMap((found) =>
    (found ?? []).map((each) => each.address),
  );
  return ['127.0.0.0/8', '::1', ...own].map((host) => ({ host, port }));
}
