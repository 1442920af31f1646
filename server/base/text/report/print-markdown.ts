import type { Annotation } from '../../../../shared/measurement/annotation.ts';
import {
  filledParts,
  filledSections,
  noFigure,
  type Part,
  type Report,
} from '../../../../shared/report/report.ts';
import { plainly, tableOf } from '../../../../shared/words/markdown-text.ts';

/**
 * A report in Markdown (CommonMark and tables). Whatever its texts hold, they stay text.
 * @param annotation what people wrote on the measurement, below the heading
 */
export function printMarkdown(report: Report, annotation: Annotation = noAnnotation): string {
  const { title, lead, about, notes, sections } = report;
  const paragraphs = [
    `# ${plainly(title)}`,
    ...linesOf(annotation),
    ...filledParts(lead).map(print),
    ...(about.length === 0 ? [] : [about.map(plainly).join(' ')]),
    ...notes.map((note) => `**Note:** ${plainly(note)}`),
    ...filledSections(sections).flatMap(({ heading, lead, parts }) => [
      ...(heading === null ? [] : [`## ${plainly(heading)}`]),
      ...(lead === undefined ? [] : [plainly(lead)]),
      ...parts.map(print),
    ]),
  ];
  return `${paragraphs.join('\n\n')}\n`;
}

const noAnnotation: Annotation = { title: null, note: '', tags: [] };

function linesOf({ title, note, tags }: Annotation): string[] {
  return [
    ...(title === null ? [] : [`**${plainly(title)}**`]),
    ...(tags.length === 0 ? [] : [`Tags: ${tags.map(plainly).join(', ')}`]),
    ...(note === '' ? [] : [quote(note)]),
  ];
}

/** Lines stay lines. */
function quote(note: string): string {
  const paragraphs = note.split(/\n{2,}/).map((paragraph) =>
    paragraph
      .split('\n')
      .map((line) => `> ${plainly(line)}`)
      .join('\\\n'),
  );
  return paragraphs.join('\n>\n');
}

function print(part: Part): string {
  switch (part.type) {
    case 'text':
      return part.sentences.map(plainly).join(' ');
    case 'list':
      return part.lines.map((line) => `- ${plainly(line)}`).join('\n');
    case 'facts':
      return part.facts.map(([name, value]) => `- ${plainly(name)}: ${plainly(value)}`).join('\n');
    case 'table': {
      const cells = tableOf(
        part.columns.map(({ title }) => title),
        part.rows.map((row) => row.map((cell) => cell ?? noFigure)),
        part.columns.map(({ holds }) => (holds === 'figure' ? 'right' : 'left')),
      );
      return part.caption === null ? cells : `${plainly(part.caption)}:\n\n${cells}`;
    }
    case 'command':
      return fence(part.command);
  }
}

/** The fence is longer than any run of backticks inside. */
function fence(command: string): string {
  const longest = Math.max(2, ...(command.match(/`+/g) ?? []).map((run) => run.length));
  const mark = '`'.repeat(longest + 1);
  return `${mark}sh\n${command}\n${mark}`;
}
