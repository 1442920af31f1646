import { listeningInodes } from './listening-sockets.ts';
import { listPids, listProc, readProc, readProcLink } from './proc-files.ts';
import { readProcessStat } from './process-stat.ts';

/**
 * The root of the process tree that serves an address and port: the topmost of those who hold its listening socket,
 * as a master holds its workers' socket. Null when nothing listens there, or when it belongs to another user.
 * @param address null for any
 */
export function findListenerPid(address: string | null, port: number): number | null {
  const inodes = listeningInodes(address, port);
  if (inodes.size === 0) return null;
  const holders = new Map<number, { parentPid: number; startTicks: number }>();
  for (const pid of listPids()) {
    const stat = holdsSocket(pid, inodes) && !isServiceManager(pid) ? readProcessStat(pid) : null;
    if (stat !== null) holders.set(pid, stat);
  }
  const tops = [...holders].filter(([, { parentPid }]) => !holders.has(parentPid));
  tops.sort(([, a], [, b]) => a.startTicks - b.startTicks);
  return tops[0]?.[0] ?? null;
}

function holdsSocket(pid: number, inodes: ReadonlySet<string>): boolean {
  return !inodesHeldBy(pid).isDisjointFrom(inodes);
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
