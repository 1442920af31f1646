import type { Estimate } from './units.ts';

/** The same estimate on another scale; `by` must be increasing. */
export function mapEstimate(estimate: Estimate, by: (value: number) => number): Estimate;
export function mapEstimate(estimate: Estimate | null, by: (value: number) => number): Estimate | null;
export function mapEstimate(estimate: Estimate | null, by: (value: number) => number): Estimate | null {
  return estimate && { center: by(estimate.center), lo: by(estimate.lo), hi: by(estimate.hi) };
}

/** A ratio as the share that it adds. */
export function lessOne(value: number): number {
  return value - 1;
}

/** Amount that a ratio adds to a baseline, in the baseline's unit. */
export function addedTo({ center }: Estimate, ratio: Estimate): Estimate {
  return mapEstimate(ratio, (each) => center * (each - 1));
}

/** Another center. The interval keeps its width as a share of the center. */
export function scaledTo(estimate: Estimate, center: number): Estimate {
  return mapEstimate(estimate, (each) => (each * center) / estimate.center);
}

/** Another center. The interval keeps its width. */
export function movedTo(estimate: Estimate, center: number): Estimate {
  return mapEstimate(estimate, (each) => each + center - estimate.center);
}

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

/** Whether a value is outside of an interval. */
export function excludes({ lo, hi }: Pick<Estimate, 'lo' | 'hi'>, value: number): boolean {
  return lo > value || hi < value;
}

export function exactly(value: number): Estimate {
  return { center: value, lo: value, hi: value };
}
