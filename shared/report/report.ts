import type { BySide } from '../base/transport.ts';
import type { Headline } from '../measurement/measurement.ts';

/**
 * A result as data, from which a terminal, Markdown, and the page are printed: kinds provide the facts, printers know only
 * sections. Texts are plain, and printers escape them. Empty parts are not printed, so that a kind need not check.
 */
export type Report = {
  /** The finding in a sentence; without one, what was measured. */
  title: string;
  /** Other findings, directly below it. */
  lead: readonly Part[];
  /** Which measurement it is, and how its figures were made, in sentences. */
  about: readonly string[];
  /** Doubts about all of it. */
  notes: readonly string[];
  sections: readonly Section[];
};

/** The part of a report that a kind knows: the rest is the same for every measurement. */
export type Finding = Pick<Report, 'title' | 'lead' | 'sections'> & {
  /** How much was measured: what the first sentence says after the name of the measurement. */
  measured?: string;
  about?: readonly string[];
  notes?: readonly string[];
  /** Other facts about the set-up, in sentences or phrases. */
  where?: readonly string[];
};

export type Section = {
  /** Anchor on the page, which omits a section without one because it shows the same in another way. */
  id?: string;
  heading: string | null;
  /** Stands below the heading. */
  lead?: string;
  /** Left out where space is short: in a terminal. */
  isDetail?: true;
  parts: readonly Part[];
};

export type Part =
  /** A paragraph. */
  | { type: 'text'; sentences: readonly string[] }
  | { type: 'list'; lines: readonly string[] }
  /** Names and their values. */
  | { type: 'facts'; facts: readonly (readonly [name: string, value: string])[] }
  | TablePart
  | { type: 'command'; command: string };

export type TablePart = {
  type: 'table';
  /** Describes the figures and their unit; null if the heading does. */
  caption: string | null;
  columns: readonly Column[];
  rows: readonly (readonly ReportCell[])[];
  /** Key of the quantity of each row; absent in a table without quantities. */
  of?: readonly string[];
};

/** Figures stand at the right of their column. */
export type Column = {
  title: string;
  holds: 'text' | 'figure';
  /** Figure of the row's quantity that stands in the column, such as `first` or `difference`. */
  part?: string;
};

/** Null where there is no figure. */
export type ReportCell = string | null;

export const noFigure = '–';

export function text(...sentences: string[]): Part {
  return { type: 'text', sentences };
}

/** Lines below the title of a headline, a paragraph each. */
export function leadOf(headline: Headline | null): Part[] {
  const lines = headline === null ? [] : [headline.second, headline.third];
  return lines.flatMap((line) => (line === undefined ? [] : [text(line)]));
}

export function list(lines: readonly string[]): Part {
  return { type: 'list', lines };
}

export function facts(of: readonly (readonly [name: string, value: string])[]): Part {
  return { type: 'facts', facts: of };
}

/**
 * Each row has a cell for each column.
 * @param of key of the quantity of each row
 */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly ReportCell[])[],
  caption: string | null = null,
  of?: readonly string[],
): TablePart {
  return { type: 'table', caption, columns, rows, ...(of === undefined ? {} : { of }) };
}

/**
 * Key of a printed figure. Wherever one key stands, in a text or as `data-q` on a page, it has one number:
 * `comparison/run/cpu_at_load/difference`, which is kind, scope, metric with its load, and part.
 * @param quantity the key up to its part
 */
export function keyOfPart(quantity: string | undefined, part: string | undefined): string | undefined {
  return quantity === undefined || part === undefined ? undefined : `${quantity}/${part}`;
}

export function texts(...titles: string[]): Column[] {
  return titles.map((title) => ({ title, holds: 'text' }));
}

export function figures(...titles: string[]): Column[] {
  return titles.map((title) => ({ title, holds: 'figure' }));
}

/** Part of a quantity that the figure of a side is. */
export const partOfSide: BySide<string> = { baseline: 'first', comparison: 'second' };

/** Columns of figures, each with the part of the row's quantity that stands in it. */
export function quantities(...of: (readonly [title: string, part: string])[]): Column[] {
  return of.map(([title, part]) => ({ title, holds: 'figure', part }));
}

/** Sections that have something to print, each with those of its parts that have. */
export function filledSections(sections: readonly Section[]): Section[] {
  return sections
    .map((section) => ({ ...section, parts: filledParts(section.parts) }))
    .filter(({ parts }) => parts.length > 0);
}

export function filledParts(parts: readonly Part[]): Part[] {
  return parts.filter((part) => sizeOf(part) > 0);
}

function sizeOf(part: Part): number {
  switch (part.type) {
    case 'text':
      return part.sentences.length;
    case 'list':
      return part.lines.length;
    case 'facts':
      return part.facts.length;
    case 'table':
      return part.rows.length;
    case 'command':
      return part.command.length;
  }
}

/** Each reason once, after all that it is given for. */
export function byReason(given: readonly { name: string; reason: string }[]): string[] {
  return [...Map.groupBy(given, ({ reason }) => reason)].map(
    ([reason, of]) => `${[...new Set(of.map(({ name }) => name))].join(', ')}: ${reason}`,
  );
}
