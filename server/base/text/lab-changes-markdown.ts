import type { LabChanges } from '../../../shared/kinds/comparison/result-changes.ts';
import { printLabChange } from '../../../shared/kinds/lab/lab-change-words.ts';
import { plainly, tableOf } from '../../../shared/words/markdown-text.ts';
import { listOf } from './markdown-parts.ts';

/** What changed between two measurements of the lab as a report in Markdown (CommonMark and tables). */
export function printLabChangesMarkdown(changes: LabChanges): string {
  const { sentence, from, to, setup, cautions, figure, lead, rows } = changes;
  const line = ({ id, title, createdAt }: LabChanges['from']) =>
    `${id} of ${new Date(createdAt).toISOString()}, ${title}`;
  const sections = [
    `# ${plainly(sentence)}`,
    listOf([`First: ${line(from)}`, `Second: ${line(to)}`]),
    ...cautions.map((caution) => `**Note:** ${plainly(caution)}`),
    '## Set-up',
    setup.length === 0
      ? 'Nothing differs in the set-up.'
      : tableOf(
          ['', 'First', 'Second'],
          setup.map(({ name, from: one, to: other }) => [name, one, other]),
        ),
    '## Figures',
    plainly(lead),
    tableOf(
      ['', 'First', 'Second', 'Change', '95 % CI', 'Outcome'],
      rows.map((row) => {
        const words = printLabChange(row, figure);
        return [row.name, words.from, words.to, words.change, words.interval, words.word];
      }),
    ),
  ];
  return `${sections.join('\n\n')}\n`;
}
