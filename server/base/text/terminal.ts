import stringWidth from 'string-width';
import { z } from 'zod';
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

/**
 * Figures of a measurement as rows, a column for each path in the schema: `load_users`, and for an estimate `ratio`, `ratio_lo`, `ratio_hi`.
 * A member of a list or of a record of objects is a row; its index or key is the column `round` of `rounds`. A list of texts is joined,
 * another one has no column.
 */
export function flatten<Schema extends z.ZodObject>(
  schema: Schema,
  measured: z.output<Schema> & { id: string },
): Table {
  const rowsOf = readerOf(schema, []);
  const names = rowsOf(undefined).flatMap(Object.keys);
  const rows = rowsOf(measured).map((row) => [measured.id, ...names.map((name) => row[name])]);
  return [['measurement_id', ...names], ...rows];
}

/** Reads the rows of a value: a single one without figures where it is absent. */
type Reader = (value: unknown) => Record<string, Cell>[];

function readerOf(schema: z.core.$ZodType, path: readonly string[]): Reader {
  const of = unwrapped(schema);
  if (of instanceof z.ZodObject) return crossReader(of.shape, path);
  if (of instanceof z.ZodDiscriminatedUnion) {
    const readers = of.options.map((option) => readerOf(option, path));
    return (value) => [Object.assign({}, ...readers.flatMap((read) => read(value)))];
  }
  if (of instanceof z.ZodRecord && of.keyType instanceof z.ZodEnum && !isNested(of.valueType))
    return crossReader(Object.fromEntries(of.keyType.options.map((key) => [key, of.valueType])), path);
  const column = columnOf(path);
  if (!(of instanceof z.ZodArray || of instanceof z.ZodRecord))
    return (value) => [{ [column]: value as Cell }];
  const member = of instanceof z.ZodArray ? of.element : of.valueType;
  if (!isNested(member)) {
    if (!(member instanceof z.ZodString)) return () => [{}];
    return (value) => [{ [column]: (value as string[] | null | undefined)?.join(' ') }];
  }
  const read = readerOf(member, path.slice(0, -1));
  const index = column.replace(/(?<=ch)es$|s$/, '');
  return (value) =>
    membersOf(value).flatMap(([key, each]) => read(each).map((row) => ({ [index]: key, ...row })));
}

function membersOf(value: unknown): (readonly [Cell, unknown])[] {
  if (value === null || value === undefined) return [[null, value]];
  return Array.isArray(value) ? [...value.entries()] : Object.entries(value);
}

function crossReader(shape: Record<string, z.core.$ZodType>, path: readonly string[]): Reader {
  const readers = Object.entries(shape).map(
    ([name, schema]) => [name, readerOf(schema, [...path, name])] as const,
  );
  return (value) => {
    let rows: ReturnType<Reader> = [{}];
    for (const [name, read] of readers) {
      const own = read((value as Record<string, unknown> | null | undefined)?.[name]);
      // Copying each row for each column would take most of the time.
      if (own.length === 1) for (const row of rows) Object.assign(row, own[0]);
      else rows = rows.flatMap((row) => own.map((more) => ({ ...row, ...more })));
    }
    return rows;
  };
}

function isNested(schema: z.core.$ZodType): boolean {
  const of = unwrapped(schema);
  return of instanceof z.ZodObject || of instanceof z.ZodDiscriminatedUnion;
}

/** Without `nullable`, `optional` and `default`. */
function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  const { def } = schema._zod;
  return 'innerType' in def ? unwrapped(def.innerType as z.core.$ZodType) : schema;
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

/** `cpu_us_lo` of `cpu`, `us` and `lo`; the center of an estimate adds nothing. */
export function columnOf(path: readonly string[]): string {
  const name = path.filter((part) => part !== 'center').join('_');
  return name.replaceAll('-', '_').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
