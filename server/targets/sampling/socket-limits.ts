import type { SocketLimits } from '../../base/addresses/socket-limits.ts';
import { readProc } from '../../base/process/proc.ts';

/**
 * What the kernel grants for sockets; null where there is no `/proc`.
 * @param owners processes by the name that a message calls them
 * @param elsewhere whether they lead to another host
 * @param sources from how many addresses of this machine they come
 */
export function readSocketLimits(
  owners: readonly { owner: string; pid: number }[],
  { elsewhere = false, sources = 1 }: { elsewhere?: boolean; sources?: number } = {},
): SocketLimits | null {
  const range = numbersOf(readProc('/proc/sys/net/ipv4/ip_local_port_range'));
  const [first, last] = range;
  if (first === undefined || last === undefined) return null;
  const [reuse = 0] = numbersOf(readProc('/proc/sys/net/ipv4/tcp_tw_reuse'));
  return {
    ephemeralPorts: sources * (last - first + 1),
    timeWait: Number(/^TCP:.* tw (\d+)/m.exec(readProc('/proc/net/sockstat') ?? '')?.[1] ?? 0),
    // 1: everywhere. 2: on loopback.
    reusesTimeWait: elsewhere ? reuse === 1 : reuse >= 1,
    descriptors: owners.map(({ owner, pid }) => ({ owner, limit: descriptorsOf(pid) })),
  };
}

/** The soft limit, which is the one that counts; null when it is not known or there is none. */
function descriptorsOf(pid: number): number | null {
  const limit = /^Max open files +(\d+)/m.exec(readProc(`/proc/${pid}/limits`) ?? '')?.[1];
  return limit === undefined ? null : Number(limit);
}

function numbersOf(text: string | null): number[] {
  return text === null ? [] : (text.match(/\d+/g) ?? []).map(Number);
}
