import type { CallCost } from '../../../../shared/speed.ts';

export type SizedTime = { bytes: number; us: number };

/** A line that misses a size by more says nothing of what a call or a byte costs. */
const mostMissed = 0.1;

/**
 * Time of a call = call + bytes × rate, by least squares weighted by 1/time², so that a size counts by how far the line
 * misses it in percent. Null for fewer than three sizes, and where it misses one by more than 10 %.
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
  const callUs = meanY - slope * meanX;
  const missed = weighted.map(({ x, y }) => Math.abs((callUs + slope * x) / y - 1));
  return Math.max(...missed) > mostMissed ? null : { callUs, nsPerByte: slope * 1000 };
}
