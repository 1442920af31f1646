import { availableParallelism } from 'node:os';
import { type HostReading, hostUse } from './host.ts';
import type { RemoteSource } from './readings.ts';

export type MachineUse = { stealRatio: number | null; foreignRatio: number | null };

type Watched = { readHost: () => HostReading | null; readings?: { remote: RemoteSource | null } };

/**
 * What the machine did since the last call; of two machines the one that was disturbed more. That of the target is taken as it was
 * read last, so call this after reading it.
 * @param targetUs CPU time of the target meanwhile; null where it is not known, and then what others did is not either
 * @param generatorUs CPU time of the generator meanwhile
 */
export function watchMachine({
  readHost,
  readings,
}: Watched): (targetUs: number | null, generatorUs: number) => MachineUse {
  let before: HostReading | null = readHost();
  let own = process.cpuUsage();
  const elsewhere = watchTargetHost(readings?.remote ?? null);
  return (targetUs, generatorUs) => {
    const now = readHost();
    const used = process.cpuUsage(own);
    const there = elsewhere(targetUs);
    const hereUs = generatorUs + used.user + used.system + (there === null ? (targetUs ?? 0) : 0);
    const use = before === null || now === null ? null : hostUse(before, now, hereUs, availableParallelism());
    before = now;
    own = process.cpuUsage();
    return {
      stealRatio: higher(use?.stealRatio ?? null, there?.stealRatio ?? null),
      foreignRatio: targetUs === null ? null : higher(use?.foreignRatio ?? null, there?.foreignRatio ?? null),
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
