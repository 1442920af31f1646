import type { PairedComparison } from './compare-paired.ts';
import { wilcoxonInterval } from './wilcoxon.ts';

/** A change below 1 % is never told from noise, however quiet the run: processes of the same code differ by that. */
export const smallestFloor = 0.01;

/**
 * F: the largest change that two identical listeners may have shown, which is the far end of the twin's interval, or
 * the minimum. The far end rather than the half-width, because a twin that came out 2 % off shows that 2 % can come
 * from nothing. For ratios a share (0.012 is 1.2 %); for differences in the metric's unit, with a minimum in it.
 */
export function noiseFloor(twin: PairedComparison, minimum: number = smallestFloor): number {
  const reach = twin.ratio === null ? reachOf(twin.delta, 0) : reachOf(twin.ratio, 1);
  return Math.max(minimum, reach);
}

/** How far from no difference an interval goes; 0 for none. */
export function reachOf(interval: { lo: number; hi: number } | null, noDifference: number): number {
  if (interval === null) return 0;
  return Math.max(Math.abs(interval.lo - noDifference), Math.abs(interval.hi - noDifference));
}

/**
 * Whether two identical listeners differ beyond doubt, so that nothing the run shows can be put down to TLS: the
 * twin's interval lies wholly beyond the tolerance, on one side. Never with fewer than eight blocks at 99 %.
 */
export function listenersDiffer(
  twin: PairedComparison,
  confidence = 0.99,
  tolerance: number = smallestFloor,
): boolean {
  if (twin.ratio === null) return false;
  const logs = wilcoxonInterval(twin.perBlock.map(Math.log), confidence);
  if (logs === null) return false;
  return Math.exp(logs.lo) > 1 + tolerance || Math.exp(logs.hi) < 1 - tolerance;
}
