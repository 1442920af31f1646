import { titleOfSizes } from '../../../../shared/kinds/sizes/size-words.ts';
import type { SizesDocument } from '../../../../shared/kinds/sizes/sizes.ts';
import { alignColumns, textOf } from '../../../base/text/terminal-parts.ts';
import { differenceRows, lineRows } from './line-rows.ts';
import { connectingOf, doubtsOf, methodOf, thenAndNowOf, twinOf } from './size-notes.ts';
import { sizeRows } from './size-rows.ts';

/** A sweep over sizes for a terminal: the verdicts, the lines, what HTTPS adds, and every size. Ends with a line feed. */
export function printSizesTable(document: SizesDocument): string {
  const { comparisons, warnings } = document;
  const paragraphs = [
    comparisons.map(({ verdict }) => verdict.sentence),
    ...(['latency', 'cpu'] as const).flatMap((quantity) => [
      titled(titleOfSizes(quantity), alignColumns(lineRows(document, quantity), 'lllr')),
      alignColumns(differenceRows(document, quantity), 'llr'),
    ]),
    alignColumns(sizeRows(document), 'r'),
    [...doubtsOf(document), ...twinOf(document), ...connectingOf(document), ...thenAndNowOf(document)],
    [...warnings, methodOf(document)],
  ].filter((lines) => lines.length > 0);
  return textOf(paragraphs.flatMap((lines, index) => (index === 0 ? lines : ['', ...lines])));
}

function titled(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines];
}
