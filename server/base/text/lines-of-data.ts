import type { Cell, Table } from './terminal.ts';

/** RFC 4180, what is missing empty: CRLF, quotes where needed. A text that a spreadsheet would take for a formula gets an apostrophe. */
export function printCsvLines(rows: Table): string {
  return rows.map((cells) => `${cells.map(printCell).join(',')}\r\n`).join('');
}

function printCell(cell: Cell): string {
  if (cell === null || cell === undefined) return '';
  if (typeof cell !== 'string') return String(cell);
  const text = /^[=+\-@\t\r\n＝＋－＠]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** An object for each row, a line each (https://jsonlines.org). */
export function printJsonLines([head = [], ...rows]: Table): string {
  return rows
    .map((row) => {
      const fields = head.map((name, column) => [name, row[column] ?? null]);
      return `${JSON.stringify(Object.fromEntries(fields))}\n`;
    })
    .join('');
}

/** `keepAlive` as columns write it: `keep_alive`. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
