import { printTable } from './print-table.ts';

/** One measured figure beside what it should be. */
export type Figure = {
  bench: string;
  figure: string;
  /** Median, or the only value. */
  value: number;
  unit: string;
  /** Smallest and largest seen, when it was measured more than once. */
  range: [number, number] | null;
  /** At most this; null for a figure without a target. */
  atMost: number | null;
};

export function printFigures(figures: readonly Figure[]): string {
  const rows = figures.map(({ bench, figure, value, unit, range, atMost }) => [
    bench,
    figure,
    `${round(value)} ${unit}`,
    range === null ? '' : `${round(range[0])} to ${round(range[1])}`,
    atMost === null ? '' : `≤ ${round(atMost)} ${unit}`,
    atMost === null ? '' : value <= atMost ? 'reached' : 'missed',
  ]);
  return printTable(['bench', 'figure', 'value', 'range', 'target', ''], rows);
}

function round(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
