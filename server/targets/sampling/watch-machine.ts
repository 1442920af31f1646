import { availableParallelism } from 'node:os';
import { type HostReading, hostUse } from './host.ts';
import { type OwnCpu, ofThisProcess } from './own-cpu.ts';
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
      ...(own === undefined ? {} : { oursRatio: oursUs / machineUs }),
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
  return one === null || other === null ? (one ?? other) : Math.max(one, other);
}
