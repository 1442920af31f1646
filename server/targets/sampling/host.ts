import type { HostUse } from '../../../shared/kinds/comparison/slot.ts';
import { readProc } from '../../base/process/proc-files.ts';
import { tickUs } from '../../base/process/process-stat.ts';

/** The whole machine at one moment, in µs of CPU time summed over its cores. */
export type HostReading = { atUs: number; busyUs: number; stealUs: number };

/** Null where there is no `/proc/stat`. */
export function readHost(): HostReading | null {
  const text = readProc('/proc/stat');
  return text === null ? null : parseHost(text, performance.now() * 1000);
}

/** CPU of all programs of the machine, without the kernel's interrupts, µs; null where it cannot be read. */
export function readProgramsUs(): number | null {
  const [user = 0, nice = 0, system = 0] = columnsOf(readProc('/proc/stat') ?? '');
  return user + nice + system === 0 ? null : (user + nice + system) * tickUs;
}

export function parseHost(text: string, atUs: number): HostReading {
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = columnsOf(text);
  // The guest columns that follow are part of user and nice already.
  return { atUs, busyUs: (user + nice + system + irq + softirq) * tickUs, stealUs: steal * tickUs };
}

/** Fields of the line of all cores, in ticks. */
function columnsOf(text: string): number[] {
  return text.slice(0, text.indexOf('\n')).split(/\s+/).slice(1).map(Number);
}

/**
 * Shares of the machine between two readings.
 * @param ownBusyUs CPU time of the target, the generator, and TLS Toll between the readings
 */
export function hostUse(before: HostReading, after: HostReading, ownBusyUs: number, cores: number): HostUse {
  const machineUs = Math.max(1, (after.atUs - before.atUs) * cores);
  return {
    stealRatio: Math.max(0, after.stealUs - before.stealUs) / machineUs,
    foreignRatio: Math.max(0, after.busyUs - before.busyUs - ownBusyUs) / machineUs,
  };
}
