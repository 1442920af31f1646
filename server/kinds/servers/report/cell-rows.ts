import { printChange, printChangeInterval, printNumber } from '../../../../shared/base/quantity.ts';
import type { Estimate } from '../../../../shared/kinds/comparison/comparison.ts';
import type { CellResult, ServersDocument } from '../../../../shared/kinds/servers/servers-result.ts';

/** A head and a row for each cell. */
export function cellRows({ cells }: Pick<ServersDocument, 'cells'>): string[][] {
  const head = [
    'Cell',
    'HTTP requests/s',
    'HTTPS requests/s',
    'Change',
    'HTTP CPU at load, µs',
    'HTTPS CPU at load, µs',
    'Change',
  ];
  return [head, ...cells.map(rowOf)];
}

function rowOf({ cell, throughput, cpu, failures, generatorLimited }: CellResult): string[] {
  // The load generator set the pace.
  const min = generatorLimited ? '≥ ' : '';
  if (throughput === null) return [cell.id, failures[0] ?? 'not measured', '', '', '', '', ''];
  return [
    cell.id,
    `${min}${printNumber(throughput.http.center, 0)}`,
    `${min}${printNumber(throughput.https.center, 0)}`,
    change(throughput.ratio),
    cpu === null ? '–' : printNumber(cpu.http.center, 1),
    cpu === null ? '–' : printNumber(cpu.https.center, 1),
    cpu === null ? '–' : change(cpu.ratio),
  ];
}

function change(ratio: Estimate): string {
  return `${printChange(ratio.center)} (${printChangeInterval(ratio)})`;
}
