import type { Estimate } from '../../shared/comparison.ts';

/** A change below 1 % is never told from noise, however quiet the run: processes of the same code differ by that. */
export const smallestFloor = 0.01;

/**
 * The largest change that two identical listeners may have shown, as a share: the far end of the twin's interval, or 1 %.
 * The far end rather than the half-width, because a twin that came out 2 % off shows that 2 % can come from nothing.
 */
export function noiseFloor(twinRatio: Estimate | null): number {
  return Math.max(smallestFloor, reachOf(twinRatio, 1));
}

/** How far from no difference an interval goes; 0 for none. */
export function reachOf(interval: { lo: number; hi: number } | null, noDifference: number): number {
  if (interval === null) return 0;
  return Math.max(Math.abs(interval.lo - noDifference), Math.abs(interval.hi - noDifference));
}
