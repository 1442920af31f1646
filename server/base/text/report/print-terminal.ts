import {
  filledParts,
  filledSections,
  noFigure,
  type Part,
  type Report,
} from '../../../../shared/report/report.ts';
import { alignColumns, textOf } from '../terminal-parts.ts';

/** A report for a terminal, without its details; which measurement it is stands last. Ends with a line feed. */
export function printTerminal({ title, lead, about, notes, sections }: Report): string {
  const paragraphs = [
    [title, ...filledParts(lead).flatMap(linesOf)],
    ...filledSections(sections.filter(({ isDetail }) => isDetail !== true)).flatMap(paragraphsOf),
    notes,
    about,
  ];
  const filled = paragraphs.filter((lines) => lines.length > 0);
  return textOf(filled.flatMap((lines, index) => (index === 0 ? lines : ['', ...lines])));
}

/** A paragraph for each part, the first one below the heading. */
function paragraphsOf({ heading, lead, parts }: Report['sections'][number]): string[][] {
  const head = [heading, lead].filter((line) => line != null);
  return parts.map((part, index) => (index > 0 ? linesOf(part) : [...head, ...linesOf(part)]));
}

function linesOf(part: Part): string[] {
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
