import type { Estimate } from '../../shared/base/units.ts';
import { alignColumns, printLines } from '../base/text/terminal.ts';

/** Rows of text under a header. */
export function printTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return printLines(alignColumns([header, ...rows], 'l'));
}

/** `38 of 40, 95 % (83 to 99 %)`: a count, the share that it is, and the share's exact 95 % interval. */
export function printCount(count: number, of: number, share: Estimate | null): string {
  if (share === null) return 'none counted';
  const percent = (value: number) => Math.round(value * 100);
  return `${count} of ${of}, ${percent(share.center)} % (${percent(share.lo)} to ${percent(share.hi)} %)`;
}
