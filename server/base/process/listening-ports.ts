import { findListenerPid, inodesHeldBy } from './listener-pid.ts';
import { allListening, listeningInodes } from './listening-sockets.ts';

/** Other ports at an address that the process which serves one of them listens on, ascending. */
export function otherPortsOf(address: string, port: number): number[] {
  const pid = findListenerPid(address, port);
  if (pid === null) return [];
  const held = inodesHeldBy(pid);
  const own = allListening().filter((socket) => held.has(socket.inode) && socket.port !== port);
  return [...new Set(own.map((socket) => socket.port))]
    .filter((other) => [...listeningInodes(address, other)].some((inode) => held.has(inode)))
    .sort((a, b) => a - b);
}
