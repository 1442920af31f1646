import { printNumber } from '../../../../shared/base/quantity.ts';
import { groupInWords, type MeasuredCell } from '../../../../shared/kinds/handshakes/handshakes.ts';

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

/** Without what key and group beside it say already: how keys are agreed, and what the server signs with. */
function shortSuite(cipher: string): string {
  return cipher
    .replace(/^TLS_/, '')
    .replaceAll('_', '-')
    .replace(/^(ECDHE|DHE)-(RSA|ECDSA)-/, '')
    .replace(/POLY1305-SHA256$/, 'POLY1305');
}

export function printVersion(version: string): string {
  return version.replace('v', ' ').replace(/^TLS 1$/, 'TLS 1.0');
}

export function printRatio({ ratio }: MeasuredCell): string {
  if (ratio === null) return '–';
  return `${printNumber(ratio.center, 2)} (${printNumber(ratio.lo, 2)} to ${printNumber(ratio.hi, 2)})`;
}
