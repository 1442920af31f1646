import type { Digest, DigestCard } from './digest.ts';
import { stripsOf } from './interval-strip.ts';

/** What messages in every markup are made of. */

/** What stands below the headline, a paragraph each. */
export function belowHeadline({ differences, evidence, pooled, caution }: Digest): string[] {
  return [differences, evidence, pooled, caution].filter((line) => line != null);
}

export function headOf({ compared }: Digest): string[] {
  const { baseline = '', comparison = '' } = compared?.sides ?? {};
  return ['Metric', baseline, comparison, 'Change', compared?.ci ?? '', 'Outcome'];
}

/** Only a change that is real stands apart from its interval. */
export function cellsOf({ title, baseline, comparison, change, range, real, word }: DigestCard): string[] {
  const [amount, interval] = real ? [change, range] : ['–', change];
  return [title, baseline, comparison, amount, interval, word];
}

/** The intervals drawn below each other, each after its metric; empty without any. */
export function drawnIntervals({ compared }: Digest): string[] {
  const cards = (compared?.cards ?? []).filter(({ interval }) => interval !== null);
  const strips = stripsOf(cards.map(({ interval }) => interval));
  if (strips === null) return [];
  const rows = cards.map(({ title }, index) => [title, strips.strips[index] ?? '']);
  return [...alignedRows(rows), `Change, ${strips.axis}. │ is no difference, ├─●─┤ the ${compared?.ci}.`];
}

/** For a font of one width, two spaces between columns. */
export function alignedRows(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => [...(row[column] ?? '')].length)),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - [...cell].length))
      .join('  ')
      .trimEnd(),
  );
}
