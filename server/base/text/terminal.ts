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
 * Makes rows of the figures of a measurement, a column for each path in the schema: `load_users`, and for an estimate `ratio`, `ratio_lo`,
 * `ratio_hi`. A member of a list or of a record of objects is a row; its index or key is the column `round` of `rounds`. A list of texts
 * is joined, another one has no column.
 */
export function flatten<Schema extends z.ZodObject>(
  schema: Schema,
): (measured: z.output<Schema> & { id: string }) => Table {
  const names = ['measurement_id'];
  const write = writerOf(schema, [], names);
  const blank = names.map((): Cell => undefined);
  return (measured) => [names, ...write([blank.with(0, measured.id)], measured)];
}

type Row = Cell[];

/** Writes a value into each of the rows, nothing where it is absent. Returns them, multiplied by the members of a list. */
type Writer = (rows: Row[], value: unknown) => Row[];

/** @param names of the columns so far, to which its own are added */
function writerOf(schema: z.core.$ZodType, path: readonly string[], names: string[]): Writer {
  const of = unwrapped(schema);
  if (of instanceof z.ZodObject) return membersWriter(of.shape, path, names);
  if (of instanceof z.ZodDiscriminatedUnion) {
    const writers = of.options.map((option) => writerOf(option, path, names));
    return (rows, value) => writers.reduce((written, write) => write(written, value), rows);
  }
  if (of instanceof z.ZodRecord && of.keyType instanceof z.ZodEnum && !isNested(of.valueType)) {
    const shape = Object.fromEntries(of.keyType.options.map((key) => [key, of.valueType]));
    return membersWriter(shape, path, names);
  }
  const name = columnOf(path);
  if (!(of instanceof z.ZodArray || of instanceof z.ZodRecord))
    return cellWriter(name, names, (value) => value as Cell);
  const member = of instanceof z.ZodArray ? of.element : of.valueType;
  if (isNested(member)) {
    const place = placeOf(name.replace(/(?<=ch)es$|s$/, ''), names);
    const write = writerOf(member, path.slice(0, -1), names);
    return (rows, value) => {
      const entries = entriesOf(value);
      return rows.flatMap((row) => entries.flatMap(([key, each]) => write([row.with(place, key)], each)));
    };
  }
  if (!(member instanceof z.ZodString)) return (rows) => rows;
  return cellWriter(name, names, (value) => (value as string[] | null | undefined)?.join(' '));
}

function cellWriter(name: string, names: string[], read: (value: unknown) => Cell): Writer {
  const place = placeOf(name, names);
  return (rows, value) => {
    for (const row of rows) row[place] = read(value);
    return rows;
  };
}

function membersWriter(
  shape: Record<string, z.core.$ZodType>,
  path: readonly string[],
  names: string[],
): Writer {
  const writers = Object.entries(shape).map(
    ([name, schema]) => [name, writerOf(schema, [...path, name], names)] as const,
  );
  return (rows, value) => {
    const members = value as Record<string, unknown> | null | undefined;
    return writers.reduce((written, [name, write]) => write(written, members?.[name]), rows);
  };
}

function entriesOf(value: unknown): (readonly [Cell, unknown])[] {
  if (value === null || value === undefined) return [[null, value]];
  return Array.isArray(value) ? [...value.entries()] : Object.entries(value);
}

/** A column of the same name is the same column. */
function placeOf(name: string, names: string[]): number {
  const place = names.indexOf(name);
  return place < 0 ? names.push(name) - 1 : place;
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
