import { problem } from '../../../shared/base/problem.ts';
import { printNumber } from '../../../shared/base/quantity.ts';
import type { ConnectionPolicy } from '../../../shared/kinds/comparison/load-profile.ts';

/** What the kernel grants for sockets; a null is not known, or not limited. */
export type SocketLimits = {
  /** Local ports that a connection may come from, of all addresses together that connections come from. */
  ephemeralPorts: number;
  /** Of those, how many a closed connection still holds, for a minute. */
  timeWait: number;
  /** Whether the kernel gives a port in TIME_WAIT to the next connection. */
  reusesTimeWait: boolean;
  /** Open files of the process of that name. */
  descriptors: { owner: string; limit: number | null }[];
};

/** Files that a process has open besides its connections, generously. */
const otherFiles = 128;

/**
 * Throws too_many_connections, with the figures and the setting that would help, when the machine cannot hold the
 * connections of a run.
 * @param perOwner connections that each of the owners of descriptors holds at most
 */
export function demandSockets(limits: SocketLimits | null, connections: number, perOwner: number): void {
  if (limits === null) return;
  const needed = perOwner + otherFiles;
  const short = limits.descriptors.find(({ limit }) => limit !== null && limit < needed);
  if (short !== undefined) {
    throw problem('too_many_connections', {
      detail: `${printNumber(perOwner, 0)} connections need ${printNumber(needed, 0)} open files, but ${short.owner} may have ${printNumber(short.limit ?? 0, 0)}. Run \`ulimit -n ${needed}\` before you start the server, or use fewer connections.`,
    });
  }
  if (connections > limits.ephemeralPorts) {
    throw problem('too_many_connections', {
      detail: `${printNumber(connections, 0)} connections to one address need as many local ports, but there are ${printNumber(limits.ephemeralPorts, 0)}. ${wider}`,
    });
  }
}

/** A slot that opens connections all the time may find no port; null when it will. */
export function portShortage(limits: SocketLimits | null, expected: number): string | null {
  if (limits === null || limits.reusesTimeWait) return null;
  const free = limits.ephemeralPorts - limits.timeWait;
  if (free >= expected) return null;
  return `a slot opens about ${printNumber(expected, 0)} connections, but only ${printNumber(Math.max(0, free), 0)} local ports are free, because ${printNumber(limits.timeWait, 0)} closed connections hold theirs for a minute. ${wider} Or set net.ipv4.tcp_tw_reuse=1.`;
}

const wider = 'Widen the range with `sysctl net.ipv4.ip_local_port_range="1024 65535"`.';

/** New connections, where all were to be kept, from which on the server counts as closing them. One address has some 28,000 ports. */
const manyClosed = 1000;

/**
 * Whether connections are opened all the time, and so use up ports: as planned, or because the server closes them.
 * @param counted those opened so far beyond the ones to be kept
 */
export function opensConnections(policy: ConnectionPolicy, counted = 0): boolean {
  return policy !== 'keep-alive' || counted >= manyClosed;
}
