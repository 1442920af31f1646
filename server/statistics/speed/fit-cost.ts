import type { CallCost } from '../../../shared/speed.ts';

export type SizedTime = { bytes: number; us: number };

/**
 * Time of a call = call + bytes × rate, by least squares weighted by 1/time², so that a size counts by how far the line
 * misses it in percent. Null for fewer than three sizes.
 */
export function fitCost(times: readonly SizedTime[]): CallCost | null {
  if (times.length < 3) return null;
  const weighted = times.map(({ bytes, us }) => ({ x: bytes, y: us, w: 1 / us ** 2 }));
  const sum = (of: (each: { x: number; y: number; w: number }) => number) =>
    weighted.reduce((total, each) => total + of(each), 0);
  const w = sum((each) => each.w);
  const meanX = sum((each) => each.w * each.x) / w;
  const meanY = sum((each) => each.w * each.y) / w;
  const spread = sum((each) => each.w * (each.x - meanX) ** 2);
  const slope = sum((each) => each.w * (each.x - meanX) * (each.y - meanY)) / spread;
  return { callUs: meanY - slope * meanX, nsPerByte: slope * 1000 };
}
