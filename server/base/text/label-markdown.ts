import type { Label } from '../../../shared/measurement/label.ts';
import { plainly } from '../../../shared/words/markdown-text.ts';

/** What people wrote on a measurement, below the heading of its report. Whatever it holds, it stays text. */
export function addLabel(report: string, { title, note, tags }: Label): string {
  const parts = [
    ...(title === null ? [] : [`**${plainly(title)}**`]),
    ...(tags.length === 0 ? [] : [`Tags: ${tags.map(plainly).join(', ')}`]),
    ...(note === '' ? [] : [quote(note)]),
  ];
  const [heading = '', ...rest] = report.split('\n\n');
  return [heading, ...parts, ...rest].join('\n\n');
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
