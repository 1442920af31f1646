import { availableParallelism } from 'node:os';
import { CpuLedger } from '../../base/process/cpu-ledger.ts';
import { aliveOf, ProcessTree } from '../../base/process/process-tree.ts';
import { type HostReading, hostUse } from './host.ts';
import type { RemoteSource } from './readings.ts';

export type MachineUse = {
  stealRatio: number | null;
  foreignRatio: number | null;
  /** Left out where the processes of ours were not read. */
  oursRatio?: number;
};

type Watched = {
  readHost: () => HostReading | null;
  readings?: { remote: RemoteSource | null };
  /** Left out where this process alone is ours. */
  own?: OwnCpu;
};

/**
 * What the machine did since the last call; of two machines the one that was disturbed more. The kernel tells it in steps of 10 ms, so
 * a second is the shortest of which it says enough. That of the target is taken as it was read last, so call this after reading it.
 * @param targetUs CPU time of the target meanwhile; null where it is not known, and then what others did is not either
 * @param generatorUs CPU time of the generator meanwhile
 */
export function watchMachine({
  readHost,
  readings,
  own,
}: Watched): (targetUs: number | null, generatorUs: number) => MachineUse {
  const readOwnUs = (own ?? ofThisProcess).readUs;
  let before: HostReading | null = readHost();
  let ownUs = readOwnUs();
  let atMs = performance.now();
  const elsewhere = watchTargetHost(readings?.remote ?? null);
  return (targetUs, generatorUs) => {
    const now = readHost();
    const oursUs = readOwnUs() - ownUs;
    const machineUs = (performance.now() - atMs) * 1000 * availableParallelism();
    const there = elsewhere(targetUs);
    const hereUs = generatorUs + oursUs + (there === null ? (targetUs ?? 0) : 0);
    const use = before === null || now === null ? null : hostUse(before, now, hereUs, availableParallelism());
    before = now;
    ownUs += oursUs;
    atMs = performance.now();
    return {
      stealRatio: higher(use?.stealRatio ?? null, there?.stealRatio ?? null),
      foreignRatio: targetUs === null ? null : higher(use?.foreignRatio ?? null, there?.foreignRatio ?? null),
      ...(own === undefined ? {} : { oursRatio: rounded(oursUs / machineUs) }),
    };
  };
}

/** Null while the target is on this machine. */
function watchTargetHost(remote: RemoteSource | null): (targetUs: number | null) => MachineUse | null {
  let before = remote?.lastHost() ?? null;
  return (targetUs) => {
    const now = remote?.lastHost() ?? null;
    const use =
      before === null || now === null
        ? null
        : hostUse(before, now, (targetUs ?? 0) + now.agentUs - before.agentUs, now.cores);
    before = now;
    return use;
  };
}

function higher(one: number | null, other: number | null): number | null {
  const most = one === null || other === null ? (one ?? other) : Math.max(one, other);
  return most === null ? null : rounded(most);
}

/** Every window stores its shares, and the kernel's counters move in steps of 10 ms. */
function rounded(share: number): number {
  return Math.round(share * 1e4) / 1e4;
}

/**
 * CPU of this process and of all that it has started, but for what is measured and what loads that: relays, keepers, browsers,
 * whatever else serves a dashboard. By the processes' own clocks, as it is small beside the kernel's ticks of 10 ms.
 */
export type OwnCpu = {
  /** So far; only differences mean anything. Of a process that comes and goes between two readings nothing is known. */
  readUs(): number;
};

/** @param apart roots of what is measured and of what loads it */
export function openOwnCpu(apart: readonly number[]): OwnCpu {
  const all = new ProcessTree(...aliveOf([process.pid]));
  const others = new ProcessTree(...aliveOf(apart));
  const ledger = new CpuLedger();
  const readUs = () => {
    const left = new Set(others.refresh().map(({ pid }) => pid));
    const own = all.refresh().filter(({ pid }) => !left.has(pid));
    if (own.length === 0) return ofThisProcess.readUs();
    ledger.observe(own);
    // What was waited for is left out: the targets and generators of earlier runs are in it.
    return ledger.ownUs;
  };
  all.list();
  others.list();
  readUs();
  return { readUs };
}

/** Without those that it has started. */
const ofThisProcess: OwnCpu = {
  readUs() {
    const { user, system } = process.cpuUsage();
    return user + system;
  },
};
