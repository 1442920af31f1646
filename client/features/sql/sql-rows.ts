import Papa from 'papaparse';
import type { SqlResult, SqlValue } from '../../../shared/measurement/history.ts';

/** The rows of a result, for the table and as files. */

/** Names of the columns, each once: SQL may give two the same. */
export function labelsOf({ columns }: Pick<SqlResult, 'columns'>): string[] {
  return columns.map((column, index) => {
    const earlier = columns.slice(0, index).filter((other) => other === column).length;
    return earlier === 0 ? column : `${column} (${earlier + 1})`;
  });
}

export function isNumeric({ rows }: Pick<SqlResult, 'rows'>, column: number): boolean {
  const values = rows.map((row) => row[column]).filter((value) => value !== null);
  return values.length > 0 && values.every((value) => typeof value === 'number');
}

/** Six digits: the files have all of them. */
export function printValue(value: SqlValue): string {
  if (value === null) return '–';
  return typeof value === 'number' && !Number.isInteger(value)
    ? String(Number(value.toPrecision(6)))
    : String(value);
}

/** What a spreadsheet would take for a formula, however it goes on. The library's own pattern passes over texts of several lines. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/;

export function printCsv(result: SqlResult): string {
  const fields = labelsOf(result);
  const text = Papa.unparse({ fields, data: result.rows }, { newline: '\r\n', escapeFormulae: formula });
  return `${text}\r\n`;
}

export function printJsonLines(result: SqlResult): string {
  const labels = labelsOf(result);
  return result.rows
    .map(
      (row) => `${JSON.stringify(Object.fromEntries(labels.map((label, index) => [label, row[index]])))}\n`,
    )
    .join('');
}
