/**
 * A result as data, from which a terminal and Markdown are printed: kinds say what is known, printers know sections alone.
 * Texts are plain, and printers escape them. What is empty is not printed, so that a kind need not look.
 */
export type Report = {
  /** The finding in a sentence; without one, what was measured. */
  title: string;
  /** What else was found, straight below it. */
  lead: readonly Part[];
  /** Which measurement it is, and how its figures were made, in sentences. */
  about: readonly string[];
  /** Doubts about all of it. */
  notes: readonly string[];
  sections: readonly Section[];
};

export type Section = {
  heading: string | null;
  /** Left out where space is short: in a terminal. */
  isDetail?: true;
  parts: readonly Part[];
};

export type Part =
  /** A paragraph. */
  | { type: 'text'; sentences: readonly string[] }
  | { type: 'list'; lines: readonly string[] }
  | { type: 'table'; columns: readonly Column[]; rows: readonly (readonly ReportCell[])[] }
  | { type: 'command'; command: string };

/** Figures stand at the right of their column. */
export type Column = { title: string; holds: 'text' | 'figure' };

/** Null where there is no figure. */
export type ReportCell = string | null;

export const noFigure = '–';

export function text(...sentences: string[]): Part {
  return { type: 'text', sentences };
}

export function list(lines: readonly string[]): Part {
  return { type: 'list', lines };
}

/** Each row has a cell for each column. */
export function table(columns: readonly Column[], rows: readonly (readonly ReportCell[])[]): Part {
  return { type: 'table', columns, rows };
}

export function texts(...titles: string[]): Column[] {
  return titles.map((title) => ({ title, holds: 'text' }));
}

export function figures(...titles: string[]): Column[] {
  return titles.map((title) => ({ title, holds: 'figure' }));
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
    case 'table':
      return part.rows.length;
    case 'command':
      return part.command.length;
  }
}
