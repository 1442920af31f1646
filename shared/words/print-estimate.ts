import { printNumber } from '../base/quantity.ts';
import type { Estimate } from '../kinds/comparison/comparison.ts';

/** `1.6`, or `1.60 (1.55 to 1.66)` where the interval shows: two digits more than the size of the value. */
export function printEstimate(estimate: Estimate): string {
  const decimals = decimalsOf(estimate);
  return withInterval(estimate, (value) => printNumber(value, decimals));
}

/** `$1,234`, `$12.30 (−$1.20 to $25.80)`. */
export function printDollars(estimate: Estimate): string {
  return withInterval(estimate, dollarsLike(estimate));
}

/** With the digits of an estimate. */
export function dollarsLike(estimate: Estimate): (value: number) => string {
  const digits = decimalsOf(estimate);
  const decimals = digits === 1 ? 2 : digits;
  return (value) => printNumber(value, decimals).replace(/^−?/, '$&$');
}

function decimalsOf({ center, lo, hi }: Estimate): number {
  const size = Math.max(Math.abs(lo), Math.abs(center), Math.abs(hi));
  return size === 0 ? 0 : Math.min(6, Math.max(0, 2 - Math.floor(Math.log10(size))));
}

function withInterval({ center, lo, hi }: Estimate, print: (value: number) => string): string {
  return print(lo) === print(hi) ? print(center) : `${print(center)} (${print(lo)} to ${print(hi)})`;
}
