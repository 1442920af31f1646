import type { CallCost } from '../../../../shared/kinds/speed/speed.ts';
import { fitRelative } from '../../../method/statistics/relative-fit.ts';

export type SizedTime = { bytes: number; us: number };

/** A line that misses a size by more says nothing of what a call or a byte costs. */
const mostMissed = 0.1;

/**
 * Time of a call = call + bytes × rate, by least squares weighted by 1/time², so that a size counts by how far the line
 * misses it in percent. Null for fewer than three sizes, and where it misses one by more than 10 %.
 */
export function fitCost(times: readonly SizedTime[]): CallCost | null {
  if (times.length < 3) return null;
  const fit = fitRelative(
    [times.map(() => 1), times.map(({ bytes }) => bytes)],
    times.map(({ us }) => us),
  );
  if (fit === null || fit.misses.some((miss) => Math.abs(miss) > mostMissed)) return null;
  const [callUs = Number.NaN, usPerByte = Number.NaN] = fit.coefficients;
  return { callUs, nsPerByte: usPerByte * 1000 };
}
