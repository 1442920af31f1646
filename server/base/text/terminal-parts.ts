import stringWidth from 'string-width';

/** Pieces of a text for a terminal. */

/**
 * Rows as lines, each column as wide as its widest cell, two spaces apart.
 * @param columns `l` or `r` for each column, as in LaTeX; the last letter holds for all that follow
 */
export function alignColumns(rows: readonly (readonly string[])[], columns: string): string[] {
  const cells = rows.map((row) => row.map(plain));
  const widths = (cells[0] ?? []).map((_, column) =>
    Math.max(...cells.map((row) => stringWidth(row[column] ?? ''))),
  );
  return cells.map((row) => {
    const aligned = row.map((cell, column) => {
      const space = ' '.repeat((widths[column] ?? 0) - stringWidth(cell));
      return (columns[column] ?? columns.at(-1)) === 'r' ? space + cell : cell + space;
    });
    return aligned.join('  ').trimEnd();
  });
}

/** Each line ends with a line feed. */
export function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${plain(line)}\n`).join('');
}

/** A terminal obeys control characters, and names come from outside. */
function plain(line: string): string {
  return line.replace(/\p{Cc}/gu, '\ufffd');
}
