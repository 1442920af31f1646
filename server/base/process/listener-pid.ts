import { listeningInodes } from './listening-sockets.ts';
import { listPids, listProc, readProc, readProcLink } from './proc-files.ts';
import { readProcessStat } from './process-stat.ts';

/** The first of `findListenerPids`; null without one. */
export function findListenerPid(address: string | null, port: number): number | null {
  return findListenerPids(address, port)[0] ?? null;
}

/**
 * The roots of the process trees that serve an address and port: the topmost of those who hold a listening socket of it,
 * as a master holds its workers' socket. There are several where each has a socket of its own (SO_REUSEPORT), the oldest first. Empty when
 * nothing listens there, or when it belongs to another user.
 * @param address null for any
 */
export function findListenerPids(address: string | null, port: number): number[] {
  const inodes = listeningInodes(address, port);
  if (inodes.size === 0) return [];
  const holders = new Map<number, { parentPid: number; startTicks: number; inodes: Set<string> }>();
  for (const pid of listPids()) {
    const held = inodesHeldBy(pid).intersection(inodes);
    const stat = held.size > 0 && !isServiceManager(pid) ? readProcessStat(pid) : null;
    if (stat !== null) holders.set(pid, { ...stat, inodes: held });
  }
  const tops = [...holders].filter(([, { parentPid }]) => !holders.has(parentPid));
  tops.sort(([, a], [, b]) => a.startTicks - b.startTicks);
  // Who holds a socket that an older one holds as well has inherited it.
  const oldest = [...inodes].flatMap((inode) => tops.find(([, each]) => each.inodes.has(inode))?.[0] ?? []);
  return tops.flatMap(([pid]) => (oldest.includes(pid) ? [pid] : []));
}

/** Of its sockets, listening or not. */
export function inodesHeldBy(pid: number): Set<string> {
  const links = listProc(`/proc/${pid}/fd`).map((fd) => readProcLink(`/proc/${pid}/fd/${fd}`));
  return new Set(links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link ?? '')?.[1] ?? []));
}

/** With socket activation systemd holds the socket of its service, and everything else descends from systemd. */
function isServiceManager(pid: number): boolean {
  return readProc(`/proc/${pid}/comm`)?.trim() === 'systemd';
}
