import { printChange, printChangeInterval, printNumber } from '../../shared/base/quantity.ts';
import type { Estimate } from '../../shared/kinds/comparison/comparison.ts';

/** Estimates in tables and charts; a dash for what was not measured. */

/** `12.3 (11.9 to 12.8)`. */
export function printInterval(estimate: Estimate | null | undefined, decimals: number): string {
  if (estimate == null) return '–';
  const print = (value: number) => printNumber(value, decimals);
  return `${print(estimate.center)} (${print(estimate.lo)} to ${print(estimate.hi)})`;
}

/** `+20 % (+18 to +22 %)`. */
export function printRatio(ratio: Estimate | null | undefined): string {
  return ratio == null ? '–' : `${printChange(ratio.center)} (${printChangeInterval(ratio)})`;
}

/** 20 for a ratio of 1.2. */
export function percentOf(ratio: number): number {
  return 100 * (ratio - 1);
}
