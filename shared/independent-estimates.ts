import type { Estimate } from './comparison.ts';

/**
 * Two estimates from separate measurements: variances add, so the reaches of their intervals add in squares, each side of
 * an interval by itself.
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
  return mapped(differenceOf(mapped(to, Math.log), mapped(from, Math.log)), Math.exp);
}

function mapped({ center, lo, hi }: Estimate, by: (value: number) => number): Estimate {
  return { center: by(center), lo: by(lo), hi: by(hi) };
}
