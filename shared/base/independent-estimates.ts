import type { Estimate } from './estimate.ts';
import { mapEstimate } from './map-estimate.ts';

/**
 * Two estimates from separate measurements: variances add, so the half-widths of their intervals add in squares, on each side
 * separately.
 * Source: Zou and Donner, Construction of Confidence Limits about Effect Measures, Statistics in Medicine 27 (2008).
 */

/** `to` less `from`. */
export function differenceOf(to: Estimate, from: Estimate): Estimate {
  const center = to.center - from.center;
  return {
    center,
    lo: center - Math.hypot(to.center - to.lo, from.hi - from.center),
    hi: center + Math.hypot(to.hi - to.center, from.center - from.lo),
  };
}

/** `to` divided by `from`: the difference of their logarithms. Both are above zero. */
export function quotientOf(to: Estimate, from: Estimate): Estimate {
  return mapEstimate(differenceOf(mapEstimate(to, Math.log), mapEstimate(from, Math.log)), Math.exp);
}
