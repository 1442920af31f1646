import { availableParallelism } from 'node:os';
import { type HostReading, hostUse } from '../../../sampling/host.ts';
import type { Instruments } from './instruments.ts';

export type MachineUse = { stealRatio: number | null; foreignRatio: number | null };

/**
 * What the machine did since the last call.
 * @param busyUs CPU time of the target and the generator meanwhile; null where the target's is not known, and then what others did is not either
 */
export function watchMachine({
  readHost,
}: Pick<Instruments, 'readHost'>): (busyUs: number | null) => MachineUse {
  let before: HostReading | null = readHost();
  let own = process.cpuUsage();
  return (busyUs) => {
    const now = readHost();
    const used = process.cpuUsage(own);
    const use =
      before === null || now === null
        ? null
        : hostUse(before, now, (busyUs ?? 0) + used.user + used.system, availableParallelism());
    before = now;
    own = process.cpuUsage();
    return {
      stealRatio: use?.stealRatio ?? null,
      foreignRatio: busyUs === null ? null : (use?.foreignRatio ?? null),
    };
  };
}
