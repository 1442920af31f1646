/** How far from no difference an interval goes; 0 for none. */
export function reachOf(interval: { lo: number; hi: number } | null, noDifference: number): number {
  if (interval === null) return 0;
  return Math.max(Math.abs(interval.lo - noDifference), Math.abs(interval.hi - noDifference));
}
