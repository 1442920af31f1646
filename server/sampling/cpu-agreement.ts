import type { ResourceUse } from '../../shared/slot.ts';
import { tickUs } from './process-stat.ts';

/**
 * Whether the sources of CPU time agree. User and system time are each cut down to whole ticks at both edges, so
 * honest counts differ by up to two ticks a process; 1 % is left for what happens between reading one and the other.
 */
export function cpuAgrees(use: ResourceUse): boolean {
  const toleranceUs = 2 * tickUs * Math.max(1, use.processes) + 0.01 * use.cpuUs;
  return [use.cpuTickUs, use.cpuWitnessUs].every(
    (otherUs) => otherUs === null || Math.abs(otherUs - use.cpuUs) <= toleranceUs,
  );
}
