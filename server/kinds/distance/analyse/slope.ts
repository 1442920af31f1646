/** Places nearer than these cannot be distinguished: the machine's own noise is larger. */
const fewestPlaces = 2;

/**
 * Slope of the least-squares line through (round trip, time): how many round trips the time has. Null with fewer than two
 * places, or where they are all alike.
 * @param roundTripsMs of each place
 * @param timesMs null where there is none
 */
export function slopeOf(roundTripsMs: readonly number[], timesMs: readonly (number | null)[]): number | null {
  const points = roundTripsMs.flatMap((x, index) => {
    const y = timesMs[index] ?? null;
    return y === null ? [] : [{ x, y }];
  });
  if (points.length < fewestPlaces) return null;
  const meanX = points.reduce((sum, { x }) => sum + x, 0) / points.length;
  const meanY = points.reduce((sum, { y }) => sum + y, 0) / points.length;
  const spread = points.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0);
  if (spread === 0) return null;
  return points.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0) / spread;
}
