import type { SqlResult, SqlValue } from '../../../shared/measurement/history.ts';
import { printCsvLines } from '../../base/text/csv-lines.ts';
import { alignColumns, textOf } from '../../base/text/terminal-parts.ts';

export function printSqlCsv({ columns, rows }: SqlResult): string {
  const cells = rows.map((row) => row.map((value) => (typeof value === 'boolean' ? String(value) : value)));
  return printCsvLines([columns, ...cells]);
}

/** An object for each row, a line each. */
export function printSqlJson({ columns, rows }: SqlResult): string {
  const lines = rows.map((row) =>
    JSON.stringify(Object.fromEntries(columns.map((column, index) => [column, row[index]]))),
  );
  return lines.length === 0 ? '[]\n' : `[\n${lines.join(',\n')}\n]\n`;
}

/** For a terminal: numbers to the right, with six digits. */
export function printSqlTable({ columns, rows }: SqlResult): string {
  const numeric = columns.map((_, column) =>
    rows.every((row) => row[column] === null || typeof row[column] === 'number'),
  );
  const lines = [columns, ...rows.map((row) => row.map(printValue))];
  const count = `${rows.length} ${rows.length === 1 ? 'row' : 'rows'}`;
  return textOf([...alignColumns(lines, numeric.map((each) => (each ? 'r' : 'l')).join('')), '', count]);
}

function printValue(value: SqlValue): string {
  if (value === null) return '–';
  return typeof value === 'number' && !Number.isInteger(value)
    ? String(Number(value.toPrecision(6)))
    : String(value);
}
