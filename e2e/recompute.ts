import type { Metric } from '../shared/metric.ts';
import { printNumber } from '../shared/quantity.ts';

type Row = Record<string, string>;

/**
 * The number of one side of the delta table from the rows of the CSV alone: the median, or sum, over the kept slots
 * of an arm, in blocks that hold the metric in every slot. Null when there is none.
 */
export function recompute(
  metric: Metric,
  column: string,
  rows: readonly Row[],
  arm: 'baseline' | 'comparison',
): number | null {
  const kept = rows.filter(({ kept }) => kept === 'true');
  const lacking = new Set(kept.filter((row) => row[column] === '').map(({ block }) => block));
  const values = kept
    .filter((row) => row.arm === arm && !lacking.has(row.block))
    .map((row) => Number(row[column]));
  if (values.length === 0) return null;
  return metric.aggregate === 'sum' ? values.reduce((sum, value) => sum + value, 0) : medianOf(values);
}

/** Prints a value as another one is shown: `1,234.5 kB` says its unit and its digits. */
export function printLike(shown: string, value: number | null): string {
  if (value === null) return '–';
  const [, fraction = '', symbol = ''] = /^−?[\d,]+(?:\.(\d+))? (.+)$/.exec(shown) ?? [];
  const divisor = divisors[symbol];
  if (divisor === undefined) return `${value}, in a unit unlike "${shown}"`;
  return `${printNumber(value / divisor, fraction.length)} ${symbol}`;
}

const divisors: Record<string, number> = {
  'transactions/s': 1,
  transactions: 1,
  '%': 1,
  µs: 1,
  ms: 1e3,
  s: 1e6,
  B: 1,
  kB: 1e3,
  MB: 1e6,
  GB: 1e9,
  'B/s': 1,
  'kB/s': 1e3,
  'MB/s': 1e6,
  'GB/s': 1e9,
};

function medianOf(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2;
}
