import type { Estimate } from '../../../shared/kinds/comparison/comparison.ts';

/** Arithmetic with estimates. Half-widths of independent pieces add in quadrature; counts are exact. */

export function exactly(value: number): Estimate {
  return { center: value, lo: value, hi: value };
}

export function scaled({ center, lo, hi }: Estimate, factor: number): Estimate {
  const [a, b] = [lo * factor, hi * factor];
  return { center: center * factor, lo: Math.min(a, b), hi: Math.max(a, b) };
}

/** Each side of the interval by itself, as intervals need not be symmetric. */
export function sum(parts: readonly Estimate[]): Estimate {
  const center = parts.reduce((total, part) => total + part.center, 0);
  const below = Math.hypot(...parts.map((part) => part.center - part.lo));
  const above = Math.hypot(...parts.map((part) => part.hi - part.center));
  return { center, lo: center - below, hi: center + above };
}

/** Of two independent factors that are not below nothing, to the first order. */
export function product(one: Estimate, other: Estimate): Estimate {
  const center = one.center * other.center;
  const below = Math.hypot((one.center - one.lo) * other.center, (other.center - other.lo) * one.center);
  const above = Math.hypot((one.hi - one.center) * other.center, (other.hi - other.center) * one.center);
  return { center, lo: Math.max(0, center - below), hi: center + above };
}

/**
 * What one has of two together, neither below nothing, to the first order: d share = (other · d one − one · d other) ÷
 * (one + other)². One half of nothing.
 */
export function shareOf(one: Estimate, other: Estimate): Estimate {
  const both = one.center + other.center;
  if (both === 0) return exactly(0.5);
  const center = one.center / both;
  const below = Math.hypot((one.center - one.lo) * other.center, (other.hi - other.center) * one.center);
  const above = Math.hypot((one.hi - one.center) * other.center, (other.center - other.lo) * one.center);
  return {
    center,
    lo: Math.max(0, center - below / both ** 2),
    hi: Math.min(1, center + above / both ** 2),
  };
}

/** The time of one from how many there are in a second, or the other way round: `unit` divided by the estimate. */
export function inverse({ center, lo, hi }: Estimate, unit: number): Estimate {
  return { center: unit / center, lo: unit / hi, hi: unit / lo };
}

/** What cannot be below nothing, cut there. */
export function atLeastZero({ center, lo, hi }: Estimate): Estimate {
  return { center: Math.max(0, center), lo: Math.max(0, lo), hi: Math.max(0, hi) };
}
