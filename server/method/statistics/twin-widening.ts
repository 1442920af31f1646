import type { Estimate } from '../../../shared/kinds/comparison/comparison.ts';
import type { Interval, Precision } from '../../../shared/kinds/comparison/precision.ts';
import { excludesZero } from './excludes-zero.ts';

/** What the twin, a second baseline, adds to the uncertainty of a result. On an additive scale, no difference is 0. */
type TwinWidening = {
  /** Added to either side. */
  by: number;
  /** The result's interval reaches at least from here to there; null: no such demand. */
  atLeast: Interval | null;
};

/**
 * Nothing is refused for its twin; what the twin shows to come from nothing becomes part of the interval.
 *
 * - Its 95 % interval excludes no difference: the two processes of one side do differ. The result is against the middle of both,
 *   so either of them alone would have moved it by half of what lies between them: that half is added to both sides.
 * - Its interval covers the result's center: identical sides may have shown as much. Then the result's interval holds the twin's, and no
 *   difference as well: a result that the twin's own deviation explains is none.
 *
 * @param center of the result
 * @param twin twin against baseline, at 95 %; null without a twin
 */
export function twinWidening(center: number, twin: Estimate | null): TwinWidening {
  if (twin === null) return { by: 0, atLeast: null };
  const covers = twin.lo <= center && center <= twin.hi;
  return {
    by: excludesZero(twin) ? Math.abs(twin.center) / 2 : 0,
    atLeast: covers ? { lo: Math.min(twin.lo, 0), hi: Math.max(twin.hi, 0) } : null,
  };
}

/** A record so widened, whose bounds and p-value follow. */
export function withTwin(precision: Precision, twin: Estimate | null): Precision {
  const { by, atLeast } = twinWidening(precision.center, twin);
  return {
    ...precision,
    widenings: by === 0 ? precision.widenings : [...precision.widenings, { name: 'twin', by }],
    atLeast: atLeast ?? precision.atLeast,
  };
}
