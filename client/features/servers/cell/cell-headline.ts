import { printNumber } from '../../../../shared/base/quantity.ts';
import type { CellResult } from '../../../../shared/kinds/servers/servers-result.ts';

/** What HTTPS does to the rate of a cell, within its interval. */
export function cellHeadline({ throughput, failures }: Pick<CellResult, 'throughput' | 'failures'>): string {
  if (throughput === null) return failures[0] ?? 'This cell was not measured';
  const { center, lo, hi } = throughput.ratio;
  const percent = (ratio: number) => printNumber(100 * Math.abs(ratio - 1), 1);
  if (hi < 1) {
    return `HTTPS answers ${percent(center)} % fewer requests per second (95 % CI ${percent(hi)} to ${percent(lo)} %)`;
  }
  if (lo > 1) {
    return `HTTPS answers ${percent(center)} % more requests per second (95 % CI ${percent(lo)} to ${percent(hi)} %)`;
  }
  return `HTTPS answers between ${percent(lo)} % fewer and ${percent(hi)} % more requests per second`;
}
