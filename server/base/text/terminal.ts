import stringWidth from 'string-width';
import type { Estimate } from '../../../shared/base/units.ts';
import {
  filledParts,
  filledSections,
  noFigure,
  type Part,
  type Report,
} from '../../../shared/report/report.ts';

/** A report for a terminal, without its details; which measurement it is stands last. Ends with a line feed. */
export function printTerminal({ title, lead, about, notes, sections }: Report): string {
  const paragraphs = [
    [title, ...filledParts(lead).flatMap(printPart)],
    ...filledSections(sections.filter(({ isDetail }) => isDetail !== true)).flatMap(paragraphsOf),
    notes,
    about,
  ];
  const filled = paragraphs.filter((lines) => lines.length > 0);
  return printLines(filled.flatMap((lines, index) => (index === 0 ? lines : ['', ...lines])));
}

/** A paragraph for each part, the first one below the heading. */
function paragraphsOf({ heading, lead, parts }: Report['sections'][number]): string[][] {
  const head = [heading, lead].filter((line) => line != null);
  return parts.map((part, index) => (index > 0 ? printPart(part) : [...head, ...printPart(part)]));
}

function printPart(part: Part): string[] {
  switch (part.type) {
    case 'text':
      return [...part.sentences];
    case 'list':
      return [...part.lines];
    case 'facts':
      return part.facts.map(([name, value]) => `${name}: ${value}`);
    case 'table':
      return [
        ...(part.caption === null ? [] : [`${part.caption}:`]),
        ...alignColumns(
          [
            part.columns.map(({ title }) => title),
            ...part.rows.map((row) => row.map((cell) => cell ?? noFigure)),
          ],
          part.columns.map(({ holds }) => (holds === 'figure' ? 'r' : 'l')).join(''),
        ),
      ];
    case 'command':
      return [part.command];
  }
}

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
export function printLines(lines: readonly string[]): string {
  return lines.map((line) => `${plain(line)}\n`).join('');
}

/** A terminal obeys control characters, and names come from outside. */
function plain(line: string): string {
  return line.replace(/\p{Cc}/gu, '\ufffd');
}

/** A cell of a table of raw figures. */
export type Cell = string | number | boolean | null | undefined;

/** Names of the columns, then a row each. */
export type Table = readonly (readonly Cell[])[];

/** A column: its name, and how its cell is read. */
export type Column<Of> = { name: string; read: (of: Of) => Cell };

export function tableOf<Of>(columns: readonly Column<Of>[], rows: readonly Of[]): Table {
  return [columns.map(({ name }) => name), ...rows.map((of) => columns.map(({ read }) => read(of)))];
}

/** An estimate and the ends of its interval. */
export function intervalColumns<Of>(
  name: string,
  read: (of: Of) => Estimate | null | undefined,
): Column<Of>[] {
  return [
    { name, read: (of) => read(of)?.center },
    { name: `${name}_low`, read: (of) => read(of)?.lo },
    { name: `${name}_high`, read: (of) => read(of)?.hi },
  ];
}

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
