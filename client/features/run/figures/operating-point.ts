import type { OperatingPoint } from '../../../../shared/load-profile.ts';

/** Where a metric was read from. Runs from before lockstep read at the steady point what is now read in lockstep. */
export function pointOf(
  points: readonly OperatingPoint[],
  kinds: ReadonlySet<OperatingPoint>,
): OperatingPoint {
  return points.find((point) => kinds.has(point)) ?? 'steady';
}
