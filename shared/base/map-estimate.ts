import type { Estimate } from './estimate.ts';

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

/** What a ratio adds to a baseline, in the baseline's unit. */
export function addedTo({ center }: Estimate, ratio: Estimate): Estimate {
  return mapEstimate(ratio, (each) => center * (each - 1));
}
