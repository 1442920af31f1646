import { printNumber } from '../../../shared/base/quantity.ts';
import type { Estimate } from '../../../shared/kinds/comparison/comparison.ts';

/** `1.6`, or `1.60 (1.55 to 1.66)` where it is not exact: two digits more than the size of the value. */
export function printEstimate({ center, lo, hi }: Estimate): string {
  const size = Math.max(Math.abs(lo), Math.abs(center), Math.abs(hi));
  const decimals = size === 0 ? 0 : Math.min(6, Math.max(0, 2 - Math.floor(Math.log10(size))));
  const print = (value: number) => printNumber(value, decimals);
  return lo === hi ? print(center) : `${print(center)} (${print(lo)} to ${print(hi)})`;
}
