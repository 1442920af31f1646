import type { Launch } from '../../../../shared/run.ts';

/** A sentence when a warm-up reached its longest time before its figures stood still; null when none did. */
export function warmUpWarning(launches: readonly Launch[]): string | null {
  const unsettled = launches.filter(({ warmUp }) => !warmUp.settled).length;
  if (unsettled === 0) return null;
  const of = launches.length === 1 ? 'The target' : `${unsettled} of ${launches.length} launches`;
  return `${of} had not settled when the warm-up ended. A longer preset warms up longer.`;
}
