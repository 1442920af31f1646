import { groupInWords, type MeasuredCell } from '../../../../shared/lab.ts';
import { printNumber } from '../../../../shared/quantity.ts';

/** What tells cells apart, without what all of them share. */
export function labelsOf(cells: readonly MeasuredCell[]): (cell: MeasuredCell) => string {
  const differs = (read: (cell: MeasuredCell) => unknown) => new Set(cells.map(read)).size > 1;
  const versions = differs(({ cell }) => cell.version);
  const suites = differs(({ cell }) => `${cell.version} ${cell.cipher}`);
  const keys = differs(({ cell }) => cell.key);
  const groups = differs(({ cell }) => groupInWords(cell));
  const bytes = differs(({ cell }) => cell.bytes);
  return ({ cell }) => {
    const parts = [
      ...(keys || !groups ? [cell.key] : []),
      ...(groups || !keys ? [groupInWords(cell) ?? 'RSA encryption'] : []),
      ...(suites ? [shortSuite(cell.cipher)] : []),
      ...(versions ? [printVersion(cell.version)] : []),
      ...(bytes ? [`${printNumber(cell.bytes, 0)} B`] : []),
    ];
    return parts.join(' · ');
  };
}

/** IANA's names of TLS 1.3 say little else than the suite in their middle. */
function shortSuite(cipher: string): string {
  return cipher.replace(/^TLS_/, '').replaceAll('_', '-');
}

export function printVersion(version: string): string {
  return version.replace('v', ' ').replace(/^TLS 1$/, 'TLS 1.0');
}

export function printRatio({ ratio }: MeasuredCell): string {
  if (ratio === null) return '–';
  return `${printNumber(ratio.center, 2)} (${printNumber(ratio.lo, 2)} to ${printNumber(ratio.hi, 2)})`;
}
