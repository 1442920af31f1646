import { problem } from '../../../shared/base/problem.ts';
import { printNumber } from '../../../shared/base/quantity.ts';
import type { ConnectionPolicy } from '../../../shared/kinds/comparison/load-profile.ts';
import type { Caps, Permit } from '../../../shared/target/target.ts';

/** Keeps apart what loads other hosts from this process, as two of them together would exceed the rate of a host. */
export type HostTurns = {
  /** Does one check after another, of whatever hosts. Throws target_busy while a run has one of them. */
  check<Result>(hosts: readonly string[], signal: AbortSignal, act: () => Promise<Result>): Promise<Result>;
  /** Gives a run the hosts as soon as no check goes on, until it calls what this resolves with. */
  take(hosts: readonly string[], signal: AbortSignal): Promise<() => void>;
};

export function openHostTurns(): HostTurns {
  const takeTurn = openTurns();
  const taken = new Set<string>();

  function demandFree(hosts: readonly string[]): void {
    const host = hosts.find((each) => taken.has(each));
    if (host === undefined) return;
    throw problem('target_busy', `A run is measuring ${host}, and a check would add to its load.`);
  }

  return {
    async check(hosts, signal, act) {
      demandFree(hosts);
      return takeTurn(signal, async () => {
        demandFree(hosts);
        return act();
      });
    },
    async take(hosts, signal) {
      const release = () => {
        for (const host of hosts) taken.delete(host);
      };
      try {
        await takeTurn(signal, async () => {
          for (const host of hosts) taken.add(host);
        });
      } catch (error) {
        release();
        throw error;
      }
      return release;
    },
  };
}

/** Does one thing after another, in the order in which they were asked for. Rejects as soon as its signal is aborted. */
type TakeTurn = <Result>(signal: AbortSignal, act: () => Promise<Result>) => Promise<Result>;

export function openTurns(): TakeTurn {
  let last: Promise<unknown> = Promise.resolve();

  return async (signal, act) => {
    const turn = last.then(() => {
      signal.throwIfAborted();
      return act();
    });
    last = turn.catch(() => {});
    return unlessAborted(signal, turn);
  };
}

/** Spreads what begins evenly over time. Times in ms, of one clock. */
export class Pace {
  readonly #everyMs: number;
  #freeAtMs = 0;

  constructor(perS: number) {
    this.#everyMs = 1000 / perS;
  }

  /** How long the next one has to wait. */
  waitMs(nowMs: number): number {
    return Math.max(0, this.#freeAtMs - nowMs);
  }

  /** Returns how long they have to wait; the ones after them wait for these as well. */
  take(count: number, nowMs: number): number {
    const waitMs = this.waitMs(nowMs);
    this.#freeAtMs = nowMs + waitMs + count * this.#everyMs;
    return waitMs;
  }
}

/** Rejects with the signal's reason as soon as it is aborted. The work behind `value` is not stopped. */
export async function unlessAborted<Value>(signal: AbortSignal, value: Promise<Value>): Promise<Value> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await Promise.race([value, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** Combines permits into one, with the least of each cap and all their host names; null for none. */
export function strictest(permitted: readonly { permit?: Permit | null | undefined }[]): Permit | null {
  const permits = permitted.flatMap(({ permit }) => permit ?? []);
  if (permits.length === 0) return null;
  const least = (cap: keyof Caps) => Math.min(...permits.map(({ caps }) => caps[cap]));
  return {
    host: [...new Set(permits.map(({ host }) => host))].join(', '),
    caps: {
      requestsPerS: least('requestsPerS'),
      connections: least('connections'),
      minutes: least('minutes'),
      bytes: least('bytes'),
    },
  };
}

/** Kernel limits for sockets. Null means unknown or unlimited. */
export type SocketLimits = {
  /** Local ports that a connection may come from, of all addresses together that connections come from. */
  ephemeralPorts: number;
  /** Ephemeral ports that a closed connection still occupies, for a minute. */
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
  return `a turn opens about ${printNumber(expected, 0)} connections, but only ${printNumber(Math.max(0, free), 0)} local ports are free, because ${printNumber(limits.timeWait, 0)} closed connections hold theirs for a minute. ${wider} Or set net.ipv4.tcp_tw_reuse=1.`;
}

const wider = 'Widen the range with `sysctl net.ipv4.ip_local_port_range="1024 65535"`.';

/** In a run that keeps its connections, a server that causes this many new ones counts as closing them. One address has some 28,000 ports. */
const manyClosed = 1000;

/**
 * Whether connections are opened all the time, and so use up ports: as planned, or because the server closes them.
 * @param counted those opened so far beyond the ones to be kept
 */
export function opensConnections(policy: ConnectionPolicy, counted = 0): boolean {
  return policy !== 'keep-alive' || counted >= manyClosed;
}
