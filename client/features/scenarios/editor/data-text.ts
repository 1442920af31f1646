import Papa from 'papaparse';
import type { DataRows } from '../../../../shared/scenario/scenario.ts';

/** Data rows as the text of a CSV file: the names of the variables, then a row a line. */

export function printRows(data: DataRows | null): string {
  return data === null ? '' : Papa.unparse({ fields: data.columns, data: data.rows }, { newline: '\n' });
}

export function readRows(text: string): { data: DataRows | null; message: string | null } {
  if (text.trim() === '') return { data: null, message: null };
  const { data, errors } = Papa.parse<string[]>(text.trim(), { skipEmptyLines: 'greedy' });
  // With one column there is no separator to find, and nothing is wrong.
  const error = errors.find(({ type }) => type !== 'Delimiter');
  if (error !== undefined) {
    const line = error.row === undefined ? '' : `Line ${error.row + 1}: `;
    return { data: null, message: `${line}${error.message.toLowerCase()}.` };
  }
  const [columns = [], ...rows] = data;
  if (rows.length === 0) return { data: null, message: 'Add at least one row below the variable names.' };
  return { data: { columns: columns.map((column) => column.trim()), rows }, message: null };
}
