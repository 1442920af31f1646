import type { Estimate } from '../kinds/comparison/comparison.ts';

/** The same estimate on another scale; `by` must be increasing. */
export function mapEstimate({ center, lo, hi }: Estimate, by: (value: number) => number): Estimate {
  return { center: by(center), lo: by(lo), hi: by(hi) };
}
