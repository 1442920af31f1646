import type { Estimate } from '../../shared/comparison.ts';

/** Rows of text under a header, in columns as wide as they must be. */
export function printTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  return [header, ...rows].map((row) => `${row.map(padded).join('  ').trimEnd()}\n`).join('');

  function padded(cell: string, column: number): string {
    return cell.padEnd(widths[column] ?? 0);
  }
}

/** `38 of 40, 95 % (83 to 99 %)`: a count, the share that it is, and the share's exact 95 % interval. */
export function printCount(count: number, of: number, share: Estimate | null): string {
  if (share === null) return 'none counted';
  const percent = (value: number) => Math.round(value * 100);
  return `${count} of ${of}, ${percent(share.center)} % (${percent(share.lo)} to ${percent(share.hi)} %)`;
}
