/** What a cell of a CSV file can hold; what is missing is empty. */
export type Cell = string | number | null | undefined;

/** RFC 4180: CRLF, quotes where needed. A text that a spreadsheet would take for a formula gets an apostrophe. */
export function printCsvLines(rows: readonly (readonly Cell[])[]): string {
  return rows.map((cells) => `${cells.map(printCell).join(',')}\r\n`).join('');
}

function printCell(cell: Cell): string {
  if (cell === null || cell === undefined) return '';
  if (typeof cell === 'number') return String(cell);
  const text = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
