import { printChange, printChangeInterval, printNumber } from '../../../shared/base/quantity.ts';
import type { Estimate } from '../../../shared/kinds/comparison/comparison.ts';
import type { CellResult } from '../../../shared/kinds/servers/servers-result.ts';

/** Figures of a cell in tables; a dash for what was not measured. */

export function printCenter(estimate: Estimate | undefined, decimals: number): string {
  return estimate === undefined ? '–' : printNumber(estimate.center, decimals);
}

/** Requests per second; at least, where the load generator set the pace. */
export function printRate({ throughput, generatorLimited }: CellResult, side: 'http' | 'https'): string {
  const rate = printCenter(throughput?.[side], 0);
  return generatorLimited && throughput !== null ? `≥ ${rate}` : rate;
}

export function printInterval(estimate: Estimate | undefined, decimals: number): string {
  if (estimate === undefined) return '–';
  const print = (value: number) => printNumber(value, decimals);
  return `${print(estimate.center)} (${print(estimate.lo)} to ${print(estimate.hi)})`;
}

export function printRatio(ratio: Estimate | undefined): string {
  return ratio === undefined ? '–' : `${printChange(ratio.center)} (${printChangeInterval(ratio)})`;
}

export function printShare(share: number | null): string {
  return share === null ? '–' : `${printNumber(100 * share, share === 0 ? 0 : 2)} %`;
}
