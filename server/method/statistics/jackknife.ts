import type { Estimate } from '../../../shared/kinds/comparison/comparison.ts';
import { studentQuantile } from './student-t.ts';

/** The unit that is left out, or null when none is. */
export type Left = number | null;

/** An estimate and half of its 95 % interval; null where leaving out one unit leaves no estimate. */
export type Jackknifed = { center: number; reach: number | null };

const confidence = 0.95;

/**
 * Delete-one jackknife of any estimates that are smooth in independent units: se² = (n − 1)/n · Σ(θ₍ᵢ₎ − θ̄)², the
 * interval by Student's t with n − 1 degrees of freedom. Not for medians over the units, where it is inconsistent.
 * Source: Efron and Tibshirani, An Introduction to the Bootstrap, 1993, equation 11.5 and section 11.6.
 * @param count of the units, three or more
 * @param estimate as many numbers from all units but one; NaN for one that they do not allow
 */
export function jackknife(count: number, estimate: (left: Left) => readonly number[]): Jackknifed[] {
  const without = Array.from({ length: count }, (_, index) => estimate(index));
  const quantile = studentQuantile(confidence, count - 1);
  return estimate(null).map((center, place) => {
    const values = without.map((estimates) => estimates[place] ?? Number.NaN);
    const mean = values.reduce((sum, value) => sum + value, 0) / count;
    const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
    const reach = quantile * Math.sqrt(((count - 1) / count) * squares);
    return { center, reach: Number.isFinite(reach) ? reach : null };
  });
}

/** Null without an interval. */
export function estimateOf({ center, reach }: Jackknifed): Estimate | null {
  return reach === null || !Number.isFinite(center)
    ? null
    : { center, lo: center - reach, hi: center + reach };
}
