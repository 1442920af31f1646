import type { OperatingPoint } from '../../../../shared/kinds/comparison/load-profile.ts';

/** Where a metric was read from. */
export function pointOf(
  points: readonly OperatingPoint[],
  kinds: ReadonlySet<OperatingPoint>,
): OperatingPoint {
  return points.find((point) => kinds.has(point)) ?? 'steady';
}
