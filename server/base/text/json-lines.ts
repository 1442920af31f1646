import type { Table } from './table.ts';

/** An object for each row, a line each (https://jsonlines.org). */
export function printJsonLines([head = [], ...rows]: Table): string {
  return rows
    .map((row) => {
      const fields = head.map((name, column) => [name, row[column] ?? null]);
      return `${JSON.stringify(Object.fromEntries(fields))}\n`;
    })
    .join('');
}
